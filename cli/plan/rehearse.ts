import { type Clock, systemClock } from '../../common/clock.ts';
import { createLeapingClock } from '../../common/leaping-clock.ts';
import { isLoopback } from '../../common/uri.ts';
import { isWrite } from '../../contract/endpoint.ts';
import { minuteMs } from '../../contract/limits.ts';
import { settings as table } from '../../contract/settings.ts';
import { createPlainReference, type Reference } from '../../fixtures/reference/plain-deployment.ts';
import { settingsOfReference } from '../../fixtures/reference-settings.ts';
import { timingOf } from '../../results/timing.ts';
import { unlocksOf } from '../../results/unlocks.ts';
import type { ClauseResult } from '../../results/verdict.ts';
import { parseSettings, type Settings } from '../../settings/settings.ts';
import { nounOf } from '../../suites/records/collections.ts';
import { moduleWrites } from '../../suites/run/left-behind.ts';
import { type OpenSuite, openSuite } from '../../suites/run/open-suite.ts';
import { type OpenDeployment, type Preparation, prepare } from '../../suites/run/prepare.ts';
import { type ChosenClauses, type Selection, select } from '../../suites/run/selection.ts';
import { memoryLedger } from '../../suites/session/ledger/ledger.ts';
import type { BookedCall } from '../../suites/session/pace/call-book.ts';
import { handlerTransport } from '../../suites/session/transport/handler-transport.ts';
import { preflight } from '../../suites/shared/preflight.ts';
import { createLocalInbox, type Inbox, type NoInbox } from '../../webhooks/inbox/inbox.ts';
import { suites } from '../suites.ts';
import { type ApiPlan, callsOf, countBy, credentialsOf, type Plan } from './plan.ts';

type Target = Preparation['targets'][number];

/** The rehearsal of one API, after its end. */
interface Rehearsed {
  readonly target: Target;
  readonly opened: OpenSuite;
  readonly results: readonly ClauseResult[];
}

/**
 * With this seed the reference makes ids that look usual. With one in some hundred seeds it does not, and the run sends
 * less.
 */
const usualSeed = 2;

/**
 * Rehearses a whole run against the reference in this process, and counts its calls. The checks and the settings are
 * the same, so that the plan is what the run will do. Sends nothing. Throws CannotRun if the run would.
 */
export async function rehearse(choice: ChosenClauses, given: Settings): Promise<Plan> {
  const prepared = await prepare(given, embedded);
  const selection = select(
    choice,
    prepared.targets.map(({ api }) => api),
  );
  const clock = stillClock();
  const { inbox, deliver } = createLocalInbox(clock);
  const { CLOCK_SPEED, ENTERPRISE_PER_MINUTE, WORKSPACE_PLAN } = prepared.settings;
  const reference = createPlainReference({
    clock,
    deliver,
    clockSpeed: CLOCK_SPEED,
    enterprisePerMinute: ENTERPRISE_PER_MINUTE,
    plan: WORKSPACE_PLAN,
    seed: usualSeed,
  });
  const began = clock.now();
  const targets = prepared.targets.filter(({ api }) => selection.idsOf(api).length > 0);
  const rehearsed = await Promise.all(
    targets.map((target) => rehearseTarget(target, { prepared, selection, clock, inbox, reference })),
  );
  reference.workspace.close();
  const books = rehearsed.map(({ opened }) => opened.session.book);
  return {
    format: 1,
    embedded: prepared.embedded,
    apis: rehearsed.map((one) => planOf(one, prepared.embedded)),
    durationMs: clock.now() - began,
    timing: timingOf(
      books.flatMap((book) => book.budgets()),
      books.flatMap((book) => book.waits()),
      CLOCK_SPEED,
    ),
  };
}

interface Stage {
  readonly prepared: Preparation;
  readonly selection: Selection;
  readonly clock: Clock;
  readonly inbox: Inbox;
  readonly reference: Reference;
}

async function rehearseTarget(
  target: Target,
  { prepared, selection, clock, inbox, reference }: Stage,
): Promise<Rehearsed> {
  const api = reference[target.api];
  const opened = await openSuite(suites[target.api], {
    origin: 'http://reference.invalid',
    settings: rehearsalSettings(prepared.settings, reference.settings),
    clock,
    transport: handlerTransport((request) => api.fetch(request)),
    ledger: memoryLedger(),
    seed: prepared.seed,
    tag: prepared.tag,
    clauses: selection.idsOf(target.api),
    inbox: inboxFor(target, prepared.settings, inbox),
  });
  if (!prepared.embedded) {
    await preflight(opened.session);
  }
  const results = await opened.run();
  await opened.close();
  return { target, opened, results };
}

/** URLs for a reference that does not listen; nothing is sent to them. */
const nowhere = { BASE_URL: 'http://127.0.0.1:1', WORKSPACE_API_URL: 'http://127.0.0.1:2' };

/** A run that judges the embedded reference, without starting one. */
const embedded = async (given: Settings): Promise<OpenDeployment> => ({
  settings: settingsOfReference(given, createPlainReference(), nowhere),
  clock: systemClock,
  wrap: (transport) => transport,
  close: () => Promise.resolve(),
});

/** Settings about the user's deployment that do not apply to the reference. */
const leftOut = new Set(['WEBHOOK_PUBLIC_URL', 'WEBHOOK_SECRET', 'BODIES', 'OPENAPI']);

/** The user's settings, with each key that is set replaced by the reference's. */
function rehearsalSettings(given: Settings, reference: Readonly<Record<string, string>>): Settings {
  const entries = table.flatMap(({ name, kind }) => {
    const value = given[name as keyof Settings];
    if (value === undefined || typeof value === 'object' || leftOut.has(name)) {
      return [];
    }
    const shown = kind === 'secret' ? reference[name] : String(value);
    return shown === undefined ? [] : [[name, shown]];
  });
  return parseSettings(Object.fromEntries(entries));
}

/** The inbox for a target: none if the deployment is elsewhere and the user gave no public URL for the receiver. */
const inboxFor = (target: Target, { WEBHOOK_PUBLIC_URL }: Settings, inbox: Inbox): Inbox | NoInbox =>
  WEBHOOK_PUBLIC_URL !== undefined || isLoopback(target.origin)
    ? inbox
    : { kind: 'no inbox', reason: 'WEBHOOK_PUBLIC_URL is not set, and the deployment is not on this machine' };

/** A clock that stands still while anything is done, and then leaps to the next moment that is waited for. */
function stillClock(): Clock {
  // It begins at the start of a minute, so that the same settings always give the same plan.
  const start = Math.floor(Date.now() / minuteMs) * minuteMs;
  return createLeapingClock({ now: () => start, sleep: () => new Promise(() => {}) });
}

/** How many records module writes make in each environment. */
const recordsIn = (calls: readonly BookedCall[]): Record<string, number> =>
  countBy(
    (['sandbox', 'live'] as const).flatMap((environment) =>
      moduleWrites(calls, environment).map(() => `${environment} record`),
    ),
  );

/** How many calls drive a key over its limit: the checks of what happens there make them. */
const drivingIn = (calls: readonly BookedCall[]): number =>
  calls.filter(({ clauses }) => clauses.some((id) => /\.limits\.(exceeded|per-minute)$/.test(id))).length;

function planOf({ target, opened: { session }, results }: Rehearsed, isEmbedded: boolean): ApiPlan {
  const calls = session.book.calls();
  const made = session.ledger.all();
  const nounsOf = (entries: typeof made): string[] => entries.map(({ collection }) => nounOf(collection));
  return {
    api: target.api,
    url: isEmbedded ? 'the reference' : target.origin,
    requests: session.client.sent,
    writes: calls.filter(({ method }) => isWrite(method)).length,
    drives: drivingIn(calls),
    clauses: session.clauses.size,
    decided: results.filter(({ verdict }) => verdict === 'pass' || verdict === 'observed').length,
    credentials: credentialsOf(
      calls,
      session.api.keys.map(({ setting }) => setting),
    ),
    budgets: session.book.budgets(),
    calls: callsOf(
      calls,
      session.api.endpoints.map(({ id }) => id),
    ),
    makes: { ...countBy(nounsOf(made.filter(({ id }) => id !== undefined))), ...recordsIn(calls) },
    leaves: { ...countBy(nounsOf(session.ledger.undeletable())), ...recordsIn(calls) },
    unlocks: unlocksOf(results),
  };
}
