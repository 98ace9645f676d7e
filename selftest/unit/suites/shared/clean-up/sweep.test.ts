import { expect, test } from 'vitest';
import { endpointOf } from '../../../../../contract/endpoints.ts';
import { createReference } from '../../../../../fixtures/reference/deployment.ts';
import { parseSettings } from '../../../../../settings/settings.ts';
import { callOf } from '../../../../../suites/session/call.ts';
import { mainKey } from '../../../../../suites/session/keys.ts';
import { memoryLedger } from '../../../../../suites/session/ledger/ledger.ts';
import { openSession } from '../../../../../suites/session/open-session.ts';
import { handlerTransport } from '../../../../../suites/session/transport/handler-transport.ts';
import { sweepRefused } from '../../../../../suites/shared/clean-up/sweep.ts';
import { workspaceApi } from '../../../../../suites/workspace/api.ts';
import { createVirtualClock } from '../../../../virtual-clock.ts';

const origin = 'http://workspace.example';

/** A session whose run had two creates of agents refused, of which the first was made all the same. */
async function setUp() {
  const clock = createVirtualClock();
  const reference = createReference({
    clock,
    deliver: () => Promise.resolve({ status: 200 }),
    choices: { 'workspace-page-size': 'three', 'workspace-stock': 'thirty' },
  });
  const list = { breaksAfterFirstPage: true };
  const transport = handlerTransport((request) =>
    list.breaksAfterFirstPage && new URL(request.url).search !== ''
      ? new Response('{}', { status: 503 })
      : reference.workspace.fetch(request),
  );
  const settings = parseSettings({ ...reference.settings, WORKSPACE_API_URL: origin, WRITES: 'all' });
  const ledger = memoryLedger();
  const session = openSession(workspaceApi, { origin, settings, clock, transport, ledger, seed: 0, tag: 'run' });
  const agents = { api: 'workspace', origin, collection: '/v1/agents', keySetting: 'WORKSPACE_API_KEY' } as const;
  for (const tag of ['run-01', 'run-02']) {
    ledger.noteRefused(ledger.intend({ ...agents, tag }));
  }
  const create = callOf(endpointOf('POST /v1/agents'), mainKey(session), { body: { name: 'Receptionist run-01' } });
  await session.client.send(create);
  return { session, ledger, list };
}

test('what a refused create made is deleted though a later page cannot be read; what is not found is looked for again', async () => {
  const { session, ledger, list } = await setUp();
  const tagsLeft = (): string[] => ledger.refusedCreates().map(({ tag }) => tag);
  expect((await sweepRefused(session)).map(({ end, entry }) => `${end} ${entry.tag}`)).toEqual(['deleted run-01']);
  expect(tagsLeft()).toEqual(['run-02']);
  list.breaksAfterFirstPage = false;
  expect(await sweepRefused(session)).toEqual([]);
  expect(tagsLeft()).toEqual([]);
});
