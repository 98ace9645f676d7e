import type { Api } from '../../contract/clause.ts';
import { clauseOf } from '../../contract/clauses.ts';
import { faults } from '../../fixtures/reference/deployment.ts';
import type { Verdict } from '../../results/verdict.ts';
import { absurdServers } from '../../selftest/proof/absurd-servers.ts';
import { combinations } from '../../selftest/proof/choice-row.ts';
import { perDayClause } from '../../selftest/proof/day-in-process.ts';
import { needsEnterprise, rowOf } from '../../selftest/proof/fault-row.ts';
import { fittingSettings } from '../../selftest/proof/fitting-settings.ts';
import { sortsOf } from '../../selftest/proof/left.ts';
import { lesserSettings } from '../../selftest/proof/lesser-settings.ts';
import { losingAnswers, losingReads, lossyRuns } from '../../selftest/proof/lost-answers.ts';
import { readMatrix } from '../../selftest/proof/matrix-file.ts';
import { ownRuns, sharedLedger } from '../../selftest/proof/own-runs.ts';
import { clausesOf, runInProcess } from '../../selftest/proof/run-in-process.ts';
import { slowedBy, tellingRuns, unreached } from '../../selftest/proof/telling-runs.ts';
import { readings } from '../../selftest/unit/readings/readings.ts';

/** One run whose outcome a mutant may change: what the deployment is, and the clauses that are judged. */
export interface Trial {
  readonly name: string;
  readonly api: Api;
  /** null: all of the API. */
  readonly clauses: readonly string[] | null;
  readonly fault?: string;
  /** The clauses that the fault turns red in it. */
  readonly shows?: readonly string[];
  readonly chosen?: Readonly<Record<string, string>>;
  readonly server?: string;
  /** How far the deployment's clock is ahead, ms. */
  readonly ahead?: number;
  /** Every how many creations the answer to one is lost, or reads. */
  readonly loses?: number;
  readonly losesReads?: boolean;
  /** Answers to calls of which method; default: POST. */
  readonly lostMethod?: string;
  /** Settings that fit another kind of deployment, by name. */
  readonly fitting?: string;
  /** Samples that are read, in place of a run. */
  readonly reading?: string;
  readonly settings?: Readonly<Record<string, string>>;
  readonly userBodies?: Readonly<Record<string, unknown>>;
  /** False: nothing receives webhooks. */
  readonly receiver?: boolean;
  /** How long each answer takes. */
  readonly slowMs?: number;
  /** Creations of keys never arrive. */
  readonly unreached?: true;
  /** A few clauses, on a deployment where they see something else. */
  readonly telling?: true;
}

const apis: readonly Api[] = ['developer', 'workspace'];

/** Clauses that one drive over the limit decides, and one search for a scheme: judged beside each other, they cost no more than one. */
const together: readonly (readonly string[])[] = [
  clausesOf('workspace')
    .filter(
      ({ id, everyResponse }) =>
        id.startsWith('workspace.limits.') && !everyResponse && id !== perDayClause('workspace'),
    )
    .map(({ id }) => id),
  ['workspace.webhooks.signature', 'workspace.webhooks.signature-secret', 'workspace.webhooks.scheme'],
];

const besides = (clause: string): readonly string[] => together.find((group) => group.includes(clause)) ?? [clause];

/** The plain deployment, clause by clause and as a whole. */
export const plainTrials = (): Trial[] =>
  apis.flatMap((api) => [
    ...clausesOf(api)
      .filter(({ id }) => besides(id)[0] === id)
      .map(({ id }): Trial => ({ name: `plain ${id}`, api, clauses: besides(id) })),
    { name: `plain ${api}`, api, clauses: null },
  ]);

/** Clauses besides its own that are judged with a fault, of each sort: those that it may turn red, and those it leaves open, which have to say whom to blame. */
const mostBeside = 12;

/** Clauses whose calls show most of what a deployment answers: what judges every response is judged beside them. */
const showing: Readonly<Record<Api, readonly string[]>> = {
  developer: [
    'auth.missing-key',
    'errors.malformed-json',
    'errors.not-found',
    'errors.unknown-path',
    'scopes.ads',
    'scopes.read-write',
    'keys.delete',
    'content.generate-validation',
  ].map((name) => `developer.${name}`),
  workspace: [
    'auth.missing-key',
    'errors.bad-request',
    'errors.not-found',
    'errors.unknown-path',
    'agents.update',
    'bookings.cancel',
    'webhooks.list',
  ].map((name) => `workspace.${name}`),
};

/** The clauses that judge every response: they cost nothing, and none of them may blame what another one is about. */
const readingAll = (api: Api): readonly string[] =>
  clausesOf(api)
    .filter(({ everyResponse }) => everyResponse)
    .map(({ id }) => id);

/** Of those, the ones that hang on why a call was made: judged beside every clause, and the same for all mutants of its calls. */
const onPurposes: Readonly<Record<Api, readonly string[]>> = {
  developer: ['developer.errors.no-server-error', 'developer.errors.status-known'],
  workspace: ['workspace.errors.no-server-error', 'workspace.responses.status-known'],
};

/** Each fault with each clause that it turns red, alone; and with those it may turn red or keep from being decided. */
export function faultTrials(): Trial[] {
  const rows = new Map(readMatrix().faults.map((row) => [row.id, row]));
  return faults.flatMap(({ id, api, reds, may }): Trial[] => {
    const { also = [], open = [] } = rows.get(id) ?? {};
    const [onAll, alone] = [
      reds.filter((clause) => clauseOf(clause).everyResponse),
      reds.filter((clause) => !clauseOf(clause).everyResponse && clause !== perDayClause(api)),
    ];
    const beside = [
      ...new Set([
        ...onAll,
        ...also,
        ...may.slice(0, mostBeside),
        ...open.slice(0, mostBeside),
        ...(onAll.length > 0 ? [...readingAll(api), ...showing[api]] : []),
      ]),
    ];
    return [
      ...alone.map(
        (clause): Trial => ({
          name: `fault ${id}: ${clause}`,
          api,
          fault: id,
          clauses: [...new Set([...besides(clause), ...onPurposes[api]])],
          shows: [clause],
        }),
      ),
      ...(beside.length === 0 ? [] : [{ name: `fault ${id}`, api, fault: id, clauses: beside, shows: onAll }]),
    ];
  });
}

/** Whether a fault showed what it has to; where it did not, its trial needs the calls of all clauses. */
export const showsFault = ({ shows = [] }: Trial, outcome: string): boolean => {
  const { reds = [] } = JSON.parse(outcome.startsWith('{') ? outcome : '{}') as { reds?: string[] };
  return shows.every((clause) => reds.includes(clause));
};

/** Combinations of choices for each API: together they take every value several times. */
const combinationsOfEach = 24;

export const choiceTrials = (): Trial[] =>
  apis.flatMap((api) =>
    combinations(api, combinationsOfEach).map(
      (chosen, i): Trial => ({ name: `choices ${api} ${i}`, api, chosen, clauses: null }),
    ),
  );

export const absurdTrials = (): Trial[] =>
  apis.flatMap((api) =>
    Object.keys(absurdServers).map((server): Trial => ({ name: `${api} ${server}`, api, server, clauses: null })),
  );

/** What the suites read out of samples. */
export const readingTrials = (): Trial[] =>
  Object.keys(readings).map(
    (reading): Trial => ({ name: `reading ${reading}`, api: 'developer', clauses: null, reading }),
  );

/** A run that may do less, or that has fewer keys. */
export const settingsTrials = (): Trial[] =>
  apis.flatMap((api) =>
    Object.entries(lesserSettings[api]).map(
      ([name, settings]): Trial => ({ name: `${api} ${name}`, api, settings, clauses: null }),
    ),
  );

/** Runs with bodies of the user's own, and one without a receiver. */
export const ownTrials = (): Trial[] => [
  ...Object.entries(ownRuns).map(([name, run]): Trial => ({ name: `${run.api} ${name}`, clauses: null, ...run })),
  { name: 'workspace no receiver', api: 'workspace', receiver: false, clauses: null },
];

export const clockTrials = (): Trial[] =>
  apis.flatMap((api) =>
    [300_000, -300_000].map(
      (ahead): Trial => ({ name: `${api}, clock off by ${ahead} ms`, api, ahead, clauses: null }),
    ),
  );

export const lossyTrials = (): Trial[] => [
  ...lossyRuns.map(
    ({ api, every, method, chosen }): Trial => ({
      name: `${api}, every ${every}. answer to ${method} lost ${Object.values(chosen).join()}`,
      api,
      loses: every,
      lostMethod: method,
      chosen,
      clauses: null,
    }),
  ),
  ...apis.flatMap((api) =>
    [5, 7].map(
      (loses): Trial => ({
        name: `${api}, every ${loses}. read without an answer`,
        api,
        loses,
        losesReads: true,
        clauses: null,
      }),
    ),
  ),
  ...apis.map(
    (api): Trial => ({
      name: `${api}, every 2. answer lost, and few requests`,
      api,
      loses: 2,
      settings: { MAX_REQUESTS: '40' },
      clauses: null,
    }),
  ),
];

/** A few clauses on deployments where they see something else. */
export const tellingTrials = (): Trial[] =>
  Object.entries(tellingRuns).map(([name, run]): Trial => ({ name: `telling: ${name}`, telling: true, ...run }));

/** A deployment of another kind, with settings that fit it. */
export const fittingTrials = (): Trial[] =>
  apis.flatMap((api) =>
    Object.entries(fittingSettings[api]).map(
      ([fitting, { choices }]): Trial => ({
        name: `${api}, ${fitting}`,
        api,
        fitting,
        clauses: null,
        ...(choices ? { chosen: choices } : {}),
      }),
    ),
  );

/** Requests after which a run counts as endless; the longest proper ones take 2,000. */
export const mostRequests = 6_000;

/** Thrown where a run goes on and on. */
export class Endless extends Error {}

/** Runs a trial. What comes back is one text: it is the same exactly where nobody could see a difference. */
export async function outcomeOf(trial: Trial, usual: ReadonlyMap<string, Verdict>): Promise<string> {
  if (trial.reading !== undefined) {
    return JSON.stringify(readings[trial.reading]?.());
  }
  const fault = trial.fault === undefined ? undefined : faults.find(({ id }) => id === trial.fault);
  const { promise: endless, reject } = Promise.withResolvers<never>();
  const lossy =
    trial.loses === undefined
      ? undefined
      : trial.losesReads
        ? losingReads(trial.loses)
        : losingAnswers(trial.loses, trial.lostMethod);
  const fitting = fittingSettings[trial.api][trial.fitting ?? ''];
  let sent = 0;
  const run = runInProcess({
    api: trial.api,
    faults: fault ? [fault.id] : [],
    choices: trial.chosen ?? {},
    settings: fitting?.settings ?? trial.settings ?? {},
    ahead: trial.ahead ?? 0,
    ...(trial.userBodies ? { userBodies: trial.userBodies } : {}),
    receiver: trial.receiver ?? true,
    enterprise: fitting?.enterprise ?? (fault !== undefined && needsEnterprise(fault)),
    ...(lossy ? { ledger: sharedLedger() } : {}),
    ...(trial.clauses === null ? {} : { clauses: trial.clauses.filter((id) => id !== perDayClause(trial.api)) }),
    between: (transport, clock) => {
      const absurd = trial.server === undefined ? transport : (absurdServers[trial.server]?.(clock) ?? transport);
      const slow = trial.slowMs === undefined ? absurd : slowedBy(trial.slowMs)(absurd, clock);
      const reached = trial.unreached ? unreached(slow) : slow;
      const inner = lossy === undefined ? reached : lossy.between(reached);
      return (request, bounds) => {
        sent += 1;
        if (sent <= mostRequests) {
          return inner(request, bounds);
        }
        reject(new Endless(`more than ${mostRequests} requests`));
        return new Promise(() => {});
      };
    },
  });
  run.catch(() => {});
  const { results, left, leads, leaks } = await Promise.race([run, endless]);
  if (fault) {
    const { says, bites, ...row } = rowOf(fault, results, usual);
    return JSON.stringify({ ...row, left: sortsOf(left), leaks: leaks.length });
  }
  const plain = trial.server === undefined;
  return [
    ...results.map(
      (result) => `${result.id} ${kindOf(result.verdict)} ${plain ? JSON.stringify(result.observed) : ''}`,
    ),
    ...(plain ? [...left, ...leads, ...leaks] : []),
    String(await lossy?.remaining('proof7')),
  ].join('\n');
}

const kinds: Readonly<Record<Verdict, string>> = {
  pass: 'green',
  observed: 'green',
  fail: 'red',
  warn: 'red',
  inconclusive: 'open',
  skip: 'open',
  broken: 'broken',
};
const kindOf = (verdict: Verdict): string => kinds[verdict];
