import { expect, test } from 'vitest';
import { stringsIn } from '../../../../common/json.ts';
import { createReference } from '../../../../fixtures/reference/deployment.ts';
import { sweep } from '../../../../suites/records/sweep.ts';
import { send } from '../../../../suites/session/send.ts';
import { handlerTransport } from '../../../../suites/session/transport/handler-transport.ts';
import { createVirtualClock } from '../../../virtual-clock.ts';
import { testSession } from '../../test-session.ts';

const origin = 'http://workspace.example';

/** A session whose run had two creates of agents refused, of which the first was made all the same. */
async function setUp() {
  const clock = createVirtualClock();
  const reference = createReference({
    clock,
    deliver: () => Promise.resolve({ status: 200 }),
    choices: { 'workspace-page-size': 'three', 'workspace-stock': 'thirty' },
  });
  const list = { breaksAfterFirstPage: true, refusesDeletions: false };
  const transport = handlerTransport((request) => {
    if (list.refusesDeletions && request.method === 'DELETE') {
      return new Response('{}', { status: 429, headers: { 'Retry-After': '31536000' } });
    }
    return list.breaksAfterFirstPage && new URL(request.url).search !== ''
      ? new Response('{}', { status: 503 })
      : reference.workspace.fetch(request);
  });
  const env = { ...reference.settings, WRITES: 'all' };
  const session = testSession('workspace', { origin, env, clock, transport, tag: 'run' });
  const { ledger } = session;
  const agents = { api: 'workspace', origin, collection: '/v1/agents', keySetting: 'WORKSPACE_API_KEY' } as const;
  for (const tag of ['run-01', 'run-02']) {
    ledger.noteRefused(ledger.intend({ ...agents, tag }));
  }
  await send(session, 'POST /v1/agents', { body: { name: 'Receptionist run-01' } });
  /** Somebody else makes an agent with that name, at the same time. */
  const makeOther = (name: string): Promise<Response> =>
    reference.workspace.fetch(
      new Request(`${origin}/v1/agents`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${reference.settings.WORKSPACE_API_KEY}`,
          'Content-Type': 'application/json',
        },
        body: JSON.stringify({ name }),
      }),
    );
  const made = (): string[] => reference.workspace.made().map(({ text }) => /"name":"([^"]*)"/.exec(text)?.[1] ?? '');
  return { session, ledger, list, makeOther, made };
}

const ends = async (session: Parameters<typeof sweep>[0]): Promise<string[]> =>
  (await sweep(session)).map(({ end, entry }) => `${end} ${entry.tag}`);

test('what a refused create made is deleted though a later page cannot be read', async () => {
  const { session, ledger } = await setUp();
  expect(await ends(session)).toEqual(['deleted run-01']);
  expect(ledger.refusedCreates()).toEqual([]);
});

test('a record that quotes what was sent is not deleted', async () => {
  const { session, makeOther, made } = await setUp();
  await makeOther('Rejected: Receptionist run-01, Receptionist run-02');
  expect(await ends(session)).toEqual(['deleted run-01']);
  expect(made()).toEqual(['Rejected: Receptionist run-01, Receptionist run-02']);
});

test('of two records with the words that were sent, none is deleted, and they are named', async () => {
  const { session, ledger, makeOther, made } = await setUp();
  await makeOther('Receptionist run-01');
  expect(new Set(await ends(session))).toEqual(new Set(['left run-01']));
  expect(made()).toHaveLength(2);
  expect(ledger.toDelete().map(({ tag }) => tag)).toEqual(['run-01']);
});

test('a record of which the ledger says that it was there before is not deleted', async () => {
  const { session, ledger, made } = await setUp();
  const list = await send(session, 'GET /v1/agents');
  const ids = list.unredacted(({ payload }) => stringsIn(payload)).filter((text) => text.startsWith('agt_'));
  ledger.noteOthers('/v1/agents', ids);
  expect(await ends(session)).toEqual([]);
  expect(made()).toEqual(['Receptionist run-01']);
});

test('where deletions cannot be made, what was found is named', async () => {
  const { session, ledger, list } = await setUp();
  list.refusesDeletions = true;
  expect(new Set(await ends(session))).toEqual(new Set(['left run-01']));
  expect(ledger.toDelete().map(({ tag }) => tag)).toEqual(['run-01']);
});
