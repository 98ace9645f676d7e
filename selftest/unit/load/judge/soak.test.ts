import { expect, it } from 'vitest';
import { breachOf } from '../../../../load/judge/soak.ts';

const json = 'application/json; charset=utf-8';

it.each([
  ['developer', 200, json, '{"success":true}', null],
  ['developer', 404, json, '{"success":true}', 'envelope.success-matches-status'],
  ['developer', 200, 'text/html', '{"success":true}', 'envelope.json'],
  ['developer', 429, 'text/plain', 'slow down', null],
  ['workspace', 200, json, '[]', null],
  ['workspace', 200, json, '[', 'responses.json'],
] as const)(
  'of a response of the %s API with status %i, %s: %s, a soak says %s',
  (api, status, contentType, body, clause) => {
    expect(breachOf(api, { status, contentType, body })).toBe(clause);
  },
);
