import { suites } from '../../cli/plan/rehearse.ts';
import type { ApiName } from '../../contract/clause.ts';
import { clauses } from '../../contract/clauses.ts';
import { createReference } from '../../fixtures/reference/deployment.ts';
import type { Served } from '../../fixtures/reference/serve.ts';
import { parseSettings } from '../../settings/settings.ts';
import { urlSettings } from '../../settings/target.ts';
import { cleanUp } from '../../suites/records/clean-up.ts';
import { leftBehind } from '../../suites/run/left-behind.ts';
import { openSuite } from '../../suites/run/prepare.ts';
import { createLedger } from '../../suites/session/ledger/ledger.ts';
import { openSession } from '../../suites/session/open-session.ts';
import { handlerTransport, type Transport } from '../../suites/session/transport/transport.ts';
import { createMailroom } from '../../webhooks/inbox/inbox.ts';
import { createVirtualClock } from '../virtual-clock.ts';
import type { Between } from './between.ts';
import { leaksIn, unnamed } from './traces.ts';

/** A run of one API's suite against a reference deployment in this process, on a virtual clock. */
export interface Plan {
  readonly api: ApiName;
  /** The clauses that are judged; all of the API if not given. */
  readonly clauses?: readonly string[];
  readonly faults?: readonly string[];
  readonly choices?: Readonly<Record<string, string>>;
  /** Also uses the enterprise key, whose limit takes 1,100 more requests. */
  readonly enterprise?: boolean;
  /** Settings in addition to those of the reference. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The user's own bodies (BODIES). */
  readonly userBodies?: Readonly<Record<string, unknown>>;
  /** Those of the deployment's documents (OPENAPI). */
  readonly documentBodies?: Readonly<Record<string, unknown>>;
  /** How far the deployment's clock is ahead of the run's, in ms. */
  readonly ahead?: number;
  /** If false, nothing receives webhooks. */
  readonly receiver?: boolean;
  /** What is between the suite and the deployment. */
  readonly between?: Between;
  /**
   * Kills the run at a call, counted from 1, and then cleans up in a new session that only has the ledger's lines. If it
   * `arrives`, the deployment still gets the call, although nobody reads its answer.
   */
  readonly killAt?: { readonly at: number; readonly arrives: boolean };
}

export const apis: readonly ApiName[] = ['developer', 'workspace'];

const origin = 'http://reference.test';
/** In the words of each record that a run creates. */
const tag = 'proof7';

/** The clauses of one API, in the contract's order. */
export const clausesOf = (api: ApiName): typeof clauses => clauses.filter(({ id }) => id.startsWith(`${api}.`));

/** Runs one suite against the reference. */
export async function world(plan: Plan) {
  const { api, faults = [], choices = {}, userBodies = {}, documentBodies = {}, ahead = 0, receiver = true } = plan;
  const { clauses: judged = clausesOf(api).map(({ id }) => id), between = (next) => next, killAt } = plan;
  const clock = createVirtualClock();
  const inbox = createMailroom(plan.settings?.WEBHOOK_PUBLIC_URL ?? 'http://inbox.local', clock);
  const reference = createReference({
    clock: { now: () => clock.now() + ahead, sleep: clock.sleep },
    seed: 1,
    deliver: inbox.deliver,
    faults,
    choices,
    clockSpeed: Number(plan.settings?.CLOCK_SPEED ?? 1),
    enterprisePerMinute: Number(plan.settings?.ENTERPRISE_PER_MINUTE ?? 1000),
  });
  const isGiven = ([name]: [string, string]): boolean => plan.enterprise === true || !name.startsWith('ENTERPRISE');
  const own = Object.fromEntries(Object.entries(reference.settings).filter(isGiven));
  const settings = parseSettings({ ...own, [urlSettings[api]]: origin, ...plan.settings });
  const straight = referenceTransport(reference[api].fetch);
  const run = mortal(between(straight, clock), killAt);
  const lines: string[] = [];
  const ledger = createLedger((line) => {
    if (!run.isDead()) {
      lines.push(line);
    }
  });
  const parts = { origin, clock, settings, seed: 7, userBodies, documentBodies };
  const opened = await openSuite(suites[api], {
    ...parts,
    ledger,
    tag,
    transport: run.transport,
    clauses: judged,
    inbox: receiver ? inbox : { kind: 'no inbox', reason: 'WEBHOOK_PUBLIC_URL is not set' },
  });
  const results = (await Promise.race([opened.run(), run.died])) ?? [];
  const made = reference[api].made().length;
  const secrets = [...reference.developer.secrets(), ...reference.workspace.secrets()];
  const known = run.isDead() ? createLedger((line) => lines.push(line), [...lines]) : ledger;
  const cleaned = run.isDead()
    ? await cleanUp(openSession(suites[api].api, { ...parts, transport: straight, ledger: known, tag: '' }))
    : await opened.close();
  const { exchanges } = opened.session.evidence;
  return {
    /** The results of the judged clauses, in their order; none of a run that was killed. */
    results,
    exchanges,
    /** How many records of the run existed when it ended or was killed. */
    made,
    /** Calls and clauses that show the complete secret of a key or webhook. Not needed by most. */
    get leaks(): readonly string[] {
      return leaksIn(exchanges, results, secrets);
    },
    /** Changes of keys and records that no call had created. */
    harm: reference[api].notes(),
    /** What the run created and did not delete, except leads, which cannot be deleted. */
    left: [
      ...unnamed(reference[api].made(), known),
      ...known.toDelete().map(({ collection, tag: words }) => `${collection} ${words}`),
      ...cleaned.flatMap(({ end, entry, why }) => (end === 'left' ? [`${entry.collection} ${entry.tag}: ${why}`] : [])),
    ],
    /** What the reports say of what is left. */
    notes: leftBehind(known, cleaned),
    ledger: known,
    reference,
  };
}

/** Calls a reference deployment without a socket, but with the spelling of header names. */
const referenceTransport =
  (fetch: Served): Transport =>
  (request) =>
    handlerTransport((sent) =>
      fetch(
        sent,
        request.headers.map(([name]) => name),
      ),
    )(request);

/** A transport that is silent from the kill on, and the death of its run, which is a promise. */
function mortal(next: Transport, kill: NonNullable<Plan['killAt']> = { at: Infinity, arrives: false }) {
  const { promise: died, resolve: die } = Promise.withResolvers<null>();
  let counted = 0;
  const transport: Transport = async (request) => {
    counted += 1;
    if (counted < kill.at) {
      return next(request);
    }
    if (counted === kill.at) {
      await (kill.arrives ? next(request) : null);
      die(null);
    }
    return new Promise(() => {});
  };
  return { transport, died, isDead: () => counted >= kill.at };
}
