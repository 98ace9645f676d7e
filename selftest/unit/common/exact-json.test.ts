import { expect, test } from 'vitest';
import { asRead, exactNumber, renamed, reword } from '../../../common/exact-json.ts';

const digits = '7245987123456007756';

test('an id of 64 bits is written as a number', () => {
  expect(JSON.stringify({ lead_id: exactNumber(digits) })).toBe(`{"lead_id":${digits}}`);
});

test('rewording a body keeps such a number as it is', () => {
  const body = { name: 'Agent run-1', lead_id: exactNumber(digits), count: 2 };
  expect(JSON.stringify(reword(body, 'run-1', 'run-2'))).toBe(`{"name":"Agent run-2","lead_id":${digits},"count":2}`);
});

test('reading an answer turns such a number into the text of its digits', () => {
  expect(asRead({ lead_id: exactNumber(digits), count: 2, note: undefined })).toEqual({ lead_id: digits, count: 2 });
  expect(asRead('no { JSON')).toBe('no { JSON');
  expect(asRead(undefined)).toBeUndefined();
});

test('an id in a body gives way to another one, a number to a number, and other large numbers stay as they are', () => {
  const other = '7245987123456009999';
  const body = { id: exactNumber(digits), data: { id: 'agt_1' }, lead_id: exactNumber(other), count: 1 };
  expect(JSON.stringify(renamed(body, [digits, 'agt_1', 'none'], '7245987123456001111'))).toBe(
    `{"id":7245987123456001111,"data":{"id":"7245987123456001111"},"lead_id":${other},"count":1}`,
  );
  expect(JSON.stringify(renamed({ id: 17 }, ['17'], 'agt_2'))).toBe('{"id":"agt_2"}');
});
