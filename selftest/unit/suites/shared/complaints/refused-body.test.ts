import { expect, test } from 'vitest';
import { bodyRefused } from '../../../../../suites/shared/complaints/refused-body.ts';
import { fakeAnswer } from '../../fake-answer.ts';

const create = 'POST /v1/leads';
const refusal = (message: string) => fakeAnswer({ status: 400, json: { error: { message } } }, create);

test('a refused body is told by the first refusal, and by that of the body that came furthest', () => {
  const { findings } = bodyRefused(create, refusal('name is required'), { furthest: refusal('stage is invalid') });
  expect(findings[0]?.message).toMatch(
    /400 \(name is required\); after following the error messages: 400 \(stage is invalid\)$/,
  );
});

test('a refusal that stays the same is told once', () => {
  const { findings } = bodyRefused(create, refusal('no'), { furthest: refusal('no') });
  expect(findings[0]?.message).toMatch(/: 400 \(no\)$/);
});
