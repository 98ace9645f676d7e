import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../../../common/redact.ts';
import { clauses } from '../../../../contract/clauses.ts';
import { judgeRecording } from '../../../../suites/recorded/judge-recording.ts';
import { readRecording } from '../../../../suites/recorded/recording.ts';
import { call, harOf, path, source } from './recordings.ts';

const secret = 'svc_test_gq09VY3uceWqt4pBMWmGecD1Elv7uXJH';
const read = (har: string) => readRecording(har, source, createRedactor());

describe('a secret of a recording does not appear in its evidence', () => {
  const carried: Readonly<Record<string, object>> = {
    'in X-API-Key': { headers: [{ name: 'x-api-key', value: secret }] },
    'behind Bearer': { headers: [{ name: 'Authorization', value: `Bearer ${secret.slice(9)}` }] },
    'in Basic': { headers: [{ name: 'Authorization', value: `Basic ${btoa(`user:${secret}`)}` }] },
    'in a cookie': { headers: [{ name: 'Cookie', value: `lang=en; sid=${secret.slice(9)}` }] },
    'in a token header': { headers: [{ name: 'X-Session-Token', value: secret.slice(9) }] },
    'in the query': { url: `${path}?access_token=${secret.slice(9)}` },
    'before the host': { url: `https://user:${secret.slice(9)}@api.example.com/api/v1/platform/me` },
    'given as a cookie': {},
  };

  test.for(Object.entries(carried))('%s, and echoed by an earlier answer', ([name, request]) => {
    const echo = call(path, {}, { content: { text: JSON.stringify({ data: { was: secret.slice(9) } }) } });
    const cookie =
      name === 'given as a cookie' ? [{ name: 'Set-Cookie', value: `sid=${secret.slice(9)}; HttpOnly` }] : [];
    const { exchanges } = read(harOf(echo, call(path, request, { headers: cookie })));
    expect(exchanges).toHaveLength(2);
    expect(JSON.stringify(exchanges)).not.toContain(secret.slice(12, 24));
  });

  test('returned by a creation, and used by no call', () => {
    const made = { method: 'POST', url: 'https://api.example.com/v1/webhooks' };
    const answer = {
      status: 201,
      content: { text: JSON.stringify({ id: 'whk_1', signing_secret: 'Xq81kfPz02Lm77' }) },
    };
    expect(JSON.stringify(read(harOf(call('', made, answer))).exchanges)).not.toContain('kfPz02');
  });
});

test('entries that are not calls of either API are left out, and no entry can put a line into a script', () => {
  const odd = [
    call('https://api.example.com/other', {}, {}),
    call('https://api.example.com/api/v1/x\nrm -rf x', {}, {}),
    call(path, { method: 'GET\nrm -rf x' }, {}),
    null,
    7,
  ];
  const { exchanges, leftOut } = read(harOf(call(path, {}, {}), ...odd));
  expect(exchanges.length).toBe(2);
  expect(leftOut).toEqual([
    '3 entries of the recording left out: no HTTP calls (WebSockets, extensions, broken entries)',
    '1 entry of the recording left out: calls of neither API',
  ]);
  expect(exchanges.filter(({ curl }) => curl?.().includes('\n'))).toEqual([]);
});

test('an answer whose body is not recorded whole is not judged', async () => {
  const text = '{"success":';
  const entries = [
    call(path, {}, { content: { size: 812, text } }),
    call(path, {}, { content: { size: 812 } }),
    { ...call(path, {}, { content: { text } }), _isBare: true },
  ];
  const { exchanges } = read(harOf(...entries));
  expect(exchanges.map(({ response, failure }) => [response, failure?.message])).toEqual(
    entries.map(() => [null, 'Its body was not recorded, or not to its end']),
  );
});

test('an answer whose body is nested too deep is not judged, and the reason is given', async () => {
  const deep = call(path, {}, { content: { text: `${'['.repeat(90_000)}${']'.repeat(90_000)}` } });
  const redactor = createRedactor();
  const recording = readRecording(harOf(deep), source, redactor);
  expect(recording.exchanges[0]).toMatchObject({ response: null, failure: { kind: 'too-deep' } });
  expect(await judgeRecording(recording, redactor)).toHaveLength(clauses.length);
});
