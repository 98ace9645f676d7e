import { expect, test } from 'vitest';
import { createOwnRecords } from '../../../../../suites/session/evidence/own-records.ts';
import { scriptOf } from '../../../../../suites/session/evidence/reproduce.ts';

test('a script may make its call many times and count the statuses', () => {
  const path = '/api/v1/platform/me';
  const request = { method: 'GET', url: `http://api.test${path}`, headers: [], body: null };
  const parts = { records: createOwnRecords(), number: 1, clean: (text: string) => text, settleMs: 0 };
  // That the call got 429 does not matter: it uses up the limit itself.
  expect(scriptOf(request, { method: 'GET', path, key: null }, { ...parts, calls: 120, times: 121 })).toBe(
    [
      'for CALL in $(seq 121); do',
      `  curl -sS -o /dev/null -w '%{http_code}\\n' http://api.test${path}`,
      'done | sort | uniq -c',
    ].join('\n'),
  );
});
