import { createHash } from 'node:crypto';
import { suites } from '../../cli/suites.ts';
import type { Clock } from '../../common/clock.ts';
import type { ApiName } from '../../contract/clause.ts';
import { clauses } from '../../contract/clauses.ts';
import { createReference } from '../../fixtures/reference/deployment.ts';
import type { Reference } from '../../fixtures/reference/plain-deployment.ts';
import type { Made } from '../../fixtures/reference/server/behaviour.ts';
import type { Exchange } from '../../results/exchange.ts';
import type { ClauseResult } from '../../results/verdict.ts';
import { parseSettings } from '../../settings/settings.ts';
import { urlSettings } from '../../settings/target.ts';
import { openSuite } from '../../suites/run/open-suite.ts';
import { type Entry, type Ledger, memoryLedger } from '../../suites/session/ledger/ledger.ts';
import type { Transport } from '../../suites/session/transport/transport.ts';
import { createLocalInbox, type LocalDeliver } from '../../webhooks/inbox/inbox.ts';
import { createVirtualClock } from '../virtual-clock.ts';
import { referenceTransport } from './reference-transport.ts';

/** A run of one API's suite against a reference deployment in this process. */
export interface Plan {
  readonly api: ApiName;
  /** The clauses that are judged; all of the API if not given. */
  readonly clauses?: readonly string[];
  readonly faults?: readonly string[];
  readonly choices?: Readonly<Record<string, string>>;
  /** The seed of the deployment's shape. */
  readonly shape?: number;
  /** Also uses the enterprise key, whose limit takes 1,100 more requests. */
  readonly enterprise?: boolean;
  /** Settings in addition to those of the reference. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The user's own bodies (BODIES). */
  readonly userBodies?: Readonly<Record<string, unknown>>;
  /** How far the deployment's clock is ahead of the run's, in ms. */
  readonly ahead?: number;
  /** If false, nothing receives webhooks. */
  readonly receiver?: boolean;
  /** Has the entries of earlier runs. */
  readonly ledger?: Ledger;
  /** Puts something between the suite and the deployment. */
  readonly between?: (transport: Transport, clock: Clock, deliver: LocalDeliver) => Transport;
}

/** What came of it. */
interface Proof {
  /** The results of the judged clauses, in their order. */
  readonly results: readonly ClauseResult[];
  readonly exchanges: readonly Exchange[];
  readonly requests: number;
  /**
   * What the run created and did not delete, except leads, which cannot be deleted: open lines of the ledger, and
   * records of the deployment.
   */
  readonly left: readonly string[];
  /** The leads that were left. */
  readonly leads: readonly string[];
  /** Calls in whose evidence the complete secret of a key or webhook appears, and clauses whose findings show one. */
  readonly leaks: readonly string[];
  /** Changes of keys and records that no call had created. */
  readonly harm: readonly string[];
  /** A digest of all answers. */
  readonly wire: string;
}

const origin = 'http://reference.test';
const tag = 'proof7';

/** The clauses of one API, in the contract's order. */
export const clausesOf = (api: ApiName): typeof clauses => clauses.filter(({ id }) => id.startsWith(`${api}.`));

/** Runs one suite against the reference with faults and choices, on a virtual clock. */
export async function runInProcess(plan: Plan): Promise<Proof> {
  const clock = createVirtualClock();
  const { inbox, deliver } = createLocalInbox(clock);
  const { ahead = 0 } = plan;
  const reference = createReference({
    clock: { now: () => clock.now() + ahead, sleep: clock.sleep },
    seed: 1,
    deliver: deliver satisfies LocalDeliver,
    faults: plan.faults ?? [],
    choices: plan.choices ?? {},
    ...(plan.shape === undefined ? {} : { shape: plan.shape }),
    clockSpeed: Number(plan.settings?.CLOCK_SPEED ?? 1),
    enterprisePerMinute: Number(plan.settings?.ENTERPRISE_PER_MINUTE ?? 1000),
  });
  const { ledger = memoryLedger(), receiver = true } = plan;
  const straight = referenceTransport(reference[plan.api], clock);
  const settings = settingsFor(plan, reference);
  const opened = await openSuite(suites[plan.api], {
    origin,
    clock,
    ledger,
    seed: 7,
    tag,
    settings,
    clauses: plan.clauses ?? clausesOf(plan.api).map(({ id }) => id),
    transport: plan.between ? plan.between(straight, clock, deliver) : straight,
    userBodies: plan.userBodies ?? {},
    inbox: receiver ? inbox : { kind: 'no inbox', reason: 'WEBHOOK_PUBLIC_URL is not set' },
  });
  const { session } = opened;
  const results = await opened.run();
  const { exchanges } = session.evidence;
  const secrets = [
    ...reference.developer.snapshot().keys.map(({ secret }) => secret),
    ...reference.workspace.secrets(),
  ];
  const cleaned = await opened.close();
  return {
    results,
    exchanges,
    requests: session.client.sent,
    // These are not needed for faults.
    get leaks() {
      return [...leaksIn(exchanges, secrets), ...leaksInFindings(results, secrets)];
    },
    harm: reference[plan.api].notes(),
    get wire() {
      return fingerprint(exchanges);
    },
    left: [
      ...unnamed(reference[plan.api].made(), ledger),
      ...ledger.toDelete().map(({ collection, tag: words }) => `${collection} ${words}`),
      ...cleaned.flatMap(({ end, entry, why }) => (end === 'left' ? [`${entry.collection} ${entry.tag}: ${why}`] : [])),
    ],
    leads: ledger.undeletable().map(({ id, tag: words }) => id ?? words),
  };
}

/**
 * What the run created, nobody deleted, and the report does not name. The report must name what the API cannot delete.
 */
function unnamed(made: readonly Made[], ledger: Ledger): string[] {
  const named = [...ledger.toDelete(), ...ledger.undeletable()];
  return made
    .filter((record) => !named.some((entry) => isOf(record, entry)))
    .map(({ collection, id }) => `${collection}/${id} ${unnamedWords}`);
}

/** The mark of records that stay without being named. */
export const unnamedWords = 'stays, and is not named';

const isOf = ({ collection, id, text }: Made, entry: Entry): boolean =>
  entry.collection === collection &&
  (entry.id === undefined ? text.includes(entry.tag) : [entry.id, ...(entry.otherIds ?? [])].includes(id));

/** A digest of all answers, without the random URLs of the inbox. */
const fingerprint = (exchanges: readonly Exchange[]): string => {
  const text = JSON.stringify(
    exchanges.map(({ request, response }) => [request.method, response?.status, response?.headers, response?.text]),
  );
  return createHash('sha256')
    .update(text.replace(/inbox\.local\/[\w/-]+/g, 'inbox'))
    .digest('hex');
};

const holdsOne = (text: string, secrets: readonly string[]): boolean => secrets.some((secret) => text.includes(secret));

const leaksInFindings = (results: readonly ClauseResult[], secrets: readonly string[]): string[] =>
  results.flatMap((result) => (holdsOne(JSON.stringify(result), secrets) ? [result.id] : []));

/** Whether an exchange can show secrets: only calls of keys and webhooks do. */
const leaksIn = (exchanges: readonly Exchange[], secrets: readonly string[]): string[] =>
  exchanges
    .filter(
      ({ endpoint, response }) =>
        /\/(keys|webhooks)/.test(endpoint ?? '') &&
        holdsOne(`${response?.text} ${JSON.stringify(response?.headers)}`, secrets),
    )
    .map(({ endpoint, number }) => `${endpoint} ${number}`);

function settingsFor(
  { api, enterprise = false, settings = {} }: Plan,
  reference: Reference,
): ReturnType<typeof parseSettings> {
  const given = Object.entries(reference.settings).filter(([name]) => enterprise || !name.startsWith('ENTERPRISE'));
  return parseSettings({ ...Object.fromEntries(given), [urlSettings[api]]: origin, ...settings });
}
