import { expect, test } from 'vitest';
import { stringsIn } from '../../../../common/json.ts';
import { createReference } from '../../../../fixtures/reference/deployment.ts';
import { sweep } from '../../../../suites/records/sweep.ts';
import { send } from '../../../../suites/session/send.ts';
import type { Session } from '../../../../suites/session/session.ts';
import { handlerTransport } from '../../../../suites/session/transport/handler-transport.ts';
import { createVirtualClock } from '../../../virtual-clock.ts';
import { testSession } from '../../test-session.ts';

const [origin, collection] = ['http://workspace.example', '/v1/agents'];

/**
 * A run had two creates of agents refused, of which the first was made all the same, and others make agents meanwhile.
 * Only the first page of their list can be read.
 */
const rows: readonly {
  readonly says: string;
  readonly others?: readonly string[];
  readonly before?: (session: Session) => Promise<void>;
  readonly refusesDeletions?: true;
  readonly ends: string;
  readonly stay: readonly string[];
}[] = [
  { says: 'it is deleted', ends: 'deleted run-01', stay: [] },
  {
    says: 'a record that quotes what was sent is not',
    others: ['Rejected: Receptionist run-01, Receptionist run-02'],
    ends: 'deleted run-01',
    stay: ['Rejected: Receptionist run-01, Receptionist run-02'],
  },
  {
    says: 'of two with the words that were sent, none is, and they are named',
    others: ['Receptionist run-01'],
    ends: 'left run-01',
    stay: ['Receptionist run-01', 'Receptionist run-01'],
  },
  {
    says: 'one of which the ledger says that it was there before is not',
    async before(session) {
      const list = await send(session, `GET ${collection}`);
      const ids = list.unredacted(({ payload }) => stringsIn(payload)).filter((text) => text.startsWith('agt_'));
      session.ledger.noteOthers(collection, ids);
    },
    ends: '',
    stay: ['Receptionist run-01'],
  },
  {
    says: 'where deletions cannot be made, it is named',
    refusesDeletions: true,
    ends: 'left run-01',
    stay: ['Receptionist run-01'],
  },
];

test.for(rows)(
  'of what a refused create made, $says',
  async ({ others = [], before, refusesDeletions, ends, stay }) => {
    const clock = createVirtualClock();
    const { workspace, settings } = createReference({
      clock,
      deliver: async () => ({ status: 200 }),
      choices: { 'workspace-page-size': 'three', 'workspace-stock': 'thirty' },
    });
    const transport = handlerTransport((request) => {
      if (refusesDeletions && request.method === 'DELETE') {
        return new Response('{}', { status: 429, headers: { 'Retry-After': '31536000' } });
      }
      return new URL(request.url).search === '' ? workspace.fetch(request) : new Response('{}', { status: 503 });
    });
    const env = { ...settings, WRITES: 'all' };
    const session = testSession('workspace', { origin, env, clock, transport, tag: 'run' });
    const { ledger } = session;
    for (const tag of ['run-01', 'run-02']) {
      ledger.noteRefused(ledger.intend({ api: 'workspace', origin, collection, keySetting: 'WORKSPACE_API_KEY', tag }));
    }
    await send(session, `POST ${collection}`, { body: { name: 'Receptionist run-01' } });
    for (const name of others) {
      const headers = { Authorization: `Bearer ${settings.WORKSPACE_API_KEY}`, 'Content-Type': 'application/json' };
      const init = { method: 'POST', headers, body: JSON.stringify({ name }) };
      await workspace.fetch(new Request(`${origin}${collection}`, init));
    }
    await before?.(session);
    const cleaned = await sweep(session);
    expect([...new Set(cleaned.map(({ end, entry }) => `${end} ${entry.tag}`))].join()).toBe(ends);
    expect(workspace.made().map(({ text }) => /"name":"([^"]*)"/.exec(text)?.[1])).toEqual(stay);
    expect(ledger.all().filter(({ gone, accepted }) => !gone && !accepted)).toEqual([]);
    expect(ledger.toDelete().map(({ tag }) => tag)).toEqual(ends.startsWith('left') ? ['run-01'] : []);
  },
);
