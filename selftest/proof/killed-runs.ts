import { suites } from '../../cli/suites.ts';
import type { ApiName } from '../../contract/clause.ts';
import { createReference } from '../../fixtures/reference/deployment.ts';
import type { Reference } from '../../fixtures/reference/plain-deployment.ts';
import type { Made } from '../../fixtures/reference/server/behaviour.ts';
import { parseSettings } from '../../settings/settings.ts';
import { urlSettings } from '../../settings/target.ts';
import { openSuite } from '../../suites/run/open-suite.ts';
import { createLedger } from '../../suites/session/ledger/ledger.ts';
import { openSession } from '../../suites/session/open-session.ts';
import type { Transport } from '../../suites/session/transport/transport.ts';
import { cleanUp } from '../../suites/shared/clean-up/clean-up.ts';
import { canDelete } from '../../suites/shared/collections.ts';
import { createLocalInbox, type LocalDeliver } from '../../webhooks/inbox/inbox.ts';
import { createVirtualClock } from '../virtual-clock.ts';
import { referenceTransport } from './reference-transport.ts';
import { clausesOf } from './run-in-process.ts';

const [origin, tag] = ['http://reference.test', 'killed7'];

/** The time at which a run is killed. */
export interface Kill {
  readonly api: ApiName;
  /** At which call, counted from 1; if `creations`, only calls that create something are counted. */
  readonly at: number;
  readonly creations: boolean;
  /** Whether the deployment still gets the call, although nobody reads its answer. */
  readonly arrives: boolean;
}

/** What a killed run left, and the result of one cleanup. */
interface KilledRun {
  /** How many calls the run sent, and how many of them create something. */
  readonly sent: { readonly all: number; readonly creations: number };
  /** How many records of the run existed when it was killed. */
  readonly made: number;
  /** Records that exist after the cleanup, and lines that the ledger still has. */
  readonly left: readonly string[];
  /** Changes of records that the run had not created. */
  readonly harm: readonly string[];
}

/**
 * Runs a suite, without calls over the limits, until it is killed. Then cleans up in a new session that only has the
 * ledger.
 */
export async function killRun(kill: Kill): Promise<KilledRun> {
  const { api } = kill;
  const clock = createVirtualClock();
  const { inbox, deliver } = createLocalInbox(clock);
  const reference = createReference({ clock, seed: 1, deliver: deliver satisfies LocalDeliver });
  const settings = parseSettings({ ...reference.settings, [urlSettings[api]]: origin, WRITES: 'all' });
  const transport = referenceTransport(reference[api], clock);
  const { dying, died, isDead, sent } = mortal(transport, kill);
  const lines: string[] = [];
  const ledger = createLedger((line) => {
    if (!isDead()) {
      lines.push(line);
    }
  });
  const clauses = clausesOf(api).map(({ id }) => id);
  const opened = await openSuite(suites[api], {
    ...{ origin, clock, settings, ledger, inbox, tag, seed: 7, transport: dying },
    clauses: clauses.filter((id) => !id.startsWith(`${api}.limits.`)),
  });
  await Promise.race([opened.run(), died]);
  const made = deletable(reference[api]).length;
  const after = createLedger((line) => lines.push(line), [...lines]);
  await cleanUp(openSession(suites[api].api, { origin, clock, settings, transport, ledger: after, seed: 0, tag: '' }));
  return {
    sent,
    made,
    left: [
      ...deletable(reference[api]).map(({ collection, id }) => `${collection}/${id}`),
      ...after.toDelete().map(({ collection, tag: words }) => `ledger: ${collection} ${words}`),
    ],
    harm: reference[api].notes(),
  };
}

/** A transport that is silent from the kill on. */
function mortal(transport: Transport, { at, creations, arrives }: Kill) {
  const { promise: died, resolve: die } = Promise.withResolvers<null>();
  const sent = { all: 0, creations: 0 };
  let dead = false;
  const dying: Transport = async (request, bounds) => {
    if (dead) {
      return new Promise(() => {});
    }
    const creates = request.method === 'POST';
    sent.all += 1;
    sent.creations += Number(creates);
    if (creations ? !creates || sent.creations < at : sent.all < at) {
      return transport(request, bounds);
    }
    dead = true;
    if (arrives) {
      await transport(request, bounds);
    }
    die(null);
    return new Promise(() => {});
  };
  return { dying, died, isDead: () => dead, sent };
}

/** The records that calls created and the API can delete. */
const deletable = (api: Pick<Reference['developer'], 'made'>): readonly Made[] =>
  api.made().filter(({ collection }) => canDelete(collection));
