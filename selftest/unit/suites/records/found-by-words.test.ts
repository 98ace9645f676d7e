import { expect, test } from 'vitest';
import { findByWords } from '../../../../suites/records/ids/found-by-words.ts';
import { mainKey } from '../../../../suites/session/keys.ts';
import { handlerTransport } from '../../../../suites/session/transport/handler-transport.ts';
import { testSession } from '../../test-session.ts';

const [own, copy] = ['key_Xk6IlsJq3C28e70hxqTz', 'key_Ld93kQz71RbW0pVm55tY'];

/** What is found of a record in a list with a row on each page, of which the first 21 are read. */
async function found(rows: readonly { readonly id: string; readonly name: string }[]): Promise<readonly string[]> {
  const transport = handlerTransport(async (request) => {
    const page = Number(new URL(request.url).searchParams.get('page') ?? 1);
    const next = page < rows.length ? `/api/v1/developer/keys?page=${page + 1}` : null;
    return Response.json({
      success: true,
      data: { keys: rows.slice(page - 1, page), next },
      context: null,
      error: null,
      meta: { trace_id: crypto.randomUUID(), timestamp: '2026-03-14T09:26:53.589Z' },
    });
  });
  const session = testSession('developer', { transport });
  const key = mainKey(session);
  const entry = session.ledger.intend({
    api: 'developer',
    origin: session.origin,
    collection: '/api/v1/developer/keys',
    keySetting: key.label,
    tag: 'run7-01',
  });
  return findByWords(session, entry, key);
}

const others = Array.from({ length: 24 }, (_, index) => ({ id: `key_${1000 + index}`, name: 'Main' }));

test('a row with the words as sent is the record, whatever other pages show', async () => {
  expect(
    await found([
      { id: copy, name: 'run7-01 (copy)' },
      { id: own, name: 'run7-01' },
    ]),
  ).toEqual([own]);
  expect(await found([{ id: own, name: 'run7_01' }, ...others])).toEqual([own]);
});

test('a row with the words and an addition is the record only if it is the only one of a list that was read to its end', async () => {
  const row = { id: own, name: 'team/run7-01' };
  expect(await found([row, ...others.slice(0, 3)])).toEqual([own]);
  await expect(found([row, ...others])).rejects.toThrow('the list has further pages');
  await expect(found([row, { id: copy, name: 'team/run7-01 (copy)' }])).rejects.toThrow('2 listed records');
});
