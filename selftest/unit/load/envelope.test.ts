// k6 cannot load the suites, so its scripts have their own checks of the envelope.
import { expect, test } from 'vitest';
import { breachesOf } from '../../../load/judge/envelope.ts';

const json = 'application/json; charset=utf-8';
const noJson = { developer: 'developer.envelope.json', workspace: 'workspace.responses.json' } as const;

test.for([
  ['developer', 200, json, '{"success":true}', []],
  ['developer', 200, json, '{"success":false}', ['developer.envelope.success-matches-status']],
  ['developer', 403, json, '{"success":false}', []],
  ['developer', 200, json, '[]', [noJson.developer]],
  ['developer', 200, 'text/html', '{"success":true}', [noJson.developer]],
  ['developer', 502, 'text/html', '<html>', ['developer.errors.no-server-error']],
  ['developer', 429, 'text/html', '<html>', []],
  ['workspace', 200, 'application/problem+json', '[]', []],
  ['workspace', 200, json, '{', [noJson.workspace]],
  ['workspace', 204, '', '', []],
  ['workspace', 304, '', '', []],
  ['workspace', 500, json, '{}', ['workspace.errors.no-server-error']],
] as const)('%s, %i, %s: %s', ([api, status, contentType, body, broken]) => {
  expect(breachesOf(api, { status, contentType, body })).toEqual(broken);
});
