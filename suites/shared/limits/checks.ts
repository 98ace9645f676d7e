import { commandOf } from '../../../common/suite.ts';
import { firstOf, withArticle } from '../../../common/words.ts';
import type { ApiName } from '../../../contract/clause.ts';
import { crowdSays } from '../../../limits/judge/bursts.ts';
import { notMet } from '../../../results/drift.ts';
import type { Exchange } from '../../../results/exchange.ts';
import { createTally, Skipped, type Tally } from '../../../results/outcome.ts';
import type { Finding } from '../../../results/verdict.ts';
import { atMoment, type Check, type Checks } from '../../engine/check.ts';
import { findingOn } from '../../engine/expect.ts';
import { mainKeys, type Session } from '../../session/session.ts';
import type { Drive } from './drive.ts';
import { judgeLimitHeaders, judgeLimitValues, judgeRemainingOf, type LimitsOf, observeFormats } from './headers.ts';

/** The answer of the judge of limits (limits/judge/) to one question. */
interface Judgement {
  readonly verdict: string;
  readonly says: string;
  /** The clause, without `limits.`, that keeps the judge from deciding. */
  readonly blames?: string;
}

/** What the checks of an API's limits are made from. */
interface LimitPlan {
  /** The drives over its limits, each made once a run. One rejects with Skipped where the settings forbid it. */
  drives(session: Session): readonly Promise<Drive>[];
  readonly limitsOf: LimitsOf;
}

/** Judges a drive as a part of a clause. */
type JudgeDrive = (tally: Tally, drive: Drive, session: Session) => void;

/** Judges each drive as a part of its own. Gives those that were made. */
async function judgeEachDrive(
  session: Session,
  tally: Tally,
  drives: LimitPlan['drives'],
  judgeDrive: JudgeDrive = () => {},
): Promise<readonly Drive[]> {
  const made: Drive[] = [];
  const all = drives(session);
  // All at once: drives that must not overlap wait for each other.
  await Promise.allSettled(all);
  for (const drive of all) {
    await tally.part(async () => {
      made.push(await drive);
      judgeDrive(tally, await drive, session);
    });
  }
  return made;
}

/** The checks of an API's limits; those that need drives over them wait for the quiet moment. */
export function limitChecks(api: ApiName, { drives, limitsOf }: LimitPlan): Checks {
  /** A check of each drive. `observe`: what is recorded of a drive, by its subject. */
  const ofDrives = (judgeDrive?: JudgeDrive, observe?: (drive: Drive) => unknown): Check =>
    atMoment('quiet', async (session, tally) => {
      const made = await judgeEachDrive(session, tally, drives, judgeDrive);
      const seen = made.map((drive) => [drive.subject, observe?.(drive)] as const);
      return observe === undefined || made.length === 0 ? undefined : Object.fromEntries(seen);
    });
  return {
    [`${api}.limits.headers`]: judgeLimitHeaders,
    [`${api}.limits.exceeded`]: ofDrives(judgeExceeded),
    [`${api}.limits.per-minute`]: ofDrives(judgePerMinute, observedWindow),
    [`${api}.limits.per-day`]: skipPerDay,
    [`${api}.limits.recovery`]: ofDrives(judgeRecovery),
    [`${api}.limits.window`]: ofDrives(undefined, observedWindow),

    [`${api}.limits.remaining`]: atMoment('quiet', async (session, tally) => {
      const made = await judgeEachDrive(session, tally, drives, (_, drive) => {
        const part = { isOneBudget: hasOneBudget(drive), ...blamesExceeded(drive, session) };
        tallyRemaining(tally, session, drive, drive.verdict.remaining, part);
      });
      await session.until('quiet');
      for (const key of mainKeys(session)) {
        const { exchange, judgement } = judgeRemainingOf(session, key);
        if (exchange !== undefined) {
          const on = { subject: `${key.environment} key`, decisive: { exchange } };
          tallyRemaining(tally, session, on, judgement, { isOneBudget: made.every(hasOneBudget) });
        }
      }
    }),

    [`${api}.limits.limit-value`]: atMoment('quiet', async (session, tally) => {
      await session.until('quiet');
      judgeLimitValues(session, tally, await judgeEachDrive(session, createTally(), drives), limitsOf);
    }),

    [`${api}.limits.header-format`]: atMoment('quiet', async (session) => {
      await session.until('quiet');
      return observeFormats(session, await judgeEachDrive(session, createTally(), drives));
    }),
  };
}

/** Tallies a judgement as a comparison, or as an open part if it is undecided. `rest`: more fields of the finding. */
function tallyJudgement(
  tally: Tally,
  { subject, decisive }: { readonly subject: string; readonly decisive: { readonly exchange: Exchange } },
  { verdict, says }: Judgement,
  rest: Partial<Finding>,
): void {
  const isOpen = verdict === 'undecided' || verdict === 'not judged';
  const message = `Limit of ${withArticle(subject)}: ${says}`;
  const finding = findingOn(decisive, { message, actual: says, ...rest });
  if (isOpen) {
    tally.leaveOpen(finding);
  } else {
    tally.judge(verdict === 'holds' ? null : finding);
  }
}

/** A script that makes one call more than the limit and counts the statuses: a single call shows no limit. */
function scriptOverLimit({ decisive, limit }: Drive): Pick<Finding, 'curl'> {
  const curl = decisive.exchange.curl?.(limit + 1);
  return curl === undefined ? {} : { curl };
}

/** Where no call got 429, blames the clause that demands it for what cannot be decided then. */
const blamesExceeded = ({ verdict }: Drive, { api }: Session): Partial<Finding> =>
  verdict.exceeded.verdict === 'holds' ? {} : { blames: `${api.name}.limits.exceeded` };

const defaultStatus = 'The limiter refuses with 503, as nginx (limit_req_status) and ASP.NET do by default';
const standsStill = 'Remaining stands still: the limiter does not count these calls, or a cache answers them';

/** A call over the limit gets 429 with the documented error. */
function judgeExceeded(tally: Tally, drive: Drive, { api }: Session): void {
  const { decisive, samples, subject, verdict } = drive;
  const { failure, response } = decisive.exchange;
  if (verdict.exceeded.verdict !== 'holds') {
    const expected = '429 for the call over the limit';
    const remaining = new Set(samples.map((sample) => sample.remaining));
    // Some ten calls got the same answer each.
    const isStill = !remaining.has(null) && remaining.size * 10 < samples.length;
    const cause = { ...(isStill && { cause: standsStill }), ...(response?.status === 503 && { cause: defaultStatus }) };
    tallyJudgement(tally, drive, verdict.exceeded, { expected, ...cause, ...scriptOverLimit(drive) });
  } else if (failure !== null || response === null) {
    tally.leaveOpen(findingOn(decisive, { message: `Call over the limit cannot be read: ${failure?.message}` }));
  } else {
    const trouble = api.errorTrouble(response);
    const message = `Call over the limit of ${withArticle(subject)} is not refused as documented: ${trouble}`;
    const wrong = { expected: '429 with the documented error', actual: trouble ?? '', place: '/error' };
    tally.judge(trouble === null ? null : findingOn(decisive, { message, ...wrong }));
  }
}

/** From an idle key a minute admits the documented number of calls, and refuses the next. */
function judgePerMinute(tally: Tally, drive: Drive, session: Session): void {
  tallyJudgement(tally, drive, drive.verdict.perMinute, {
    expected: `${drive.limit} calls a minute from an idle ${drive.subject}, not fewer and not more`,
    ...(drive.verdict.perMinute.verdict === 'undecided'
      ? { advice: `Run ${commandOf('load', 'per-minute')} for a closer look` }
      : {}),
    ...scriptOverLimit(drive),
    ...blamesExceeded(drive, session),
  });
  const tried = drive.verdict.probes.filter(({ key }) => key === drive.key.label);
  const open = tried.filter(({ outcome }) => outcome === 'undecided').map(({ route }) => route);
  if (open.length > tried.length / 2) {
    const message = `Limit of ${withArticle(drive.subject)}: whether other calls count, such as ${firstOf(open, 2)}, is unknown: no plain calls were refused right before and after them, or their answers say nothing of the limit`;
    tally.leaveOpen(findingOn(drive.decisive, { message }));
  }
}

/** Once the minute has passed, calls succeed again. */
function judgeRecovery(tally: Tally, drive: Drive, session: Session): void {
  const expected = 'calls succeed again once the minute has passed';
  tallyJudgement(tally, drive, drive.verdict.recovery, { expected, ...blamesExceeded(drive, session) });
}

/** The value, or `notMet` where an undecided judgement leaves it unknown: then it is no drift once it is known. */
const unlessUndecided = ({ verdict }: Judgement, value: unknown): unknown =>
  verdict === 'undecided' && (value === null || value === 'unknown' || value === 'none met') ? notMet : value;

/**
 * The algorithm that a limiter shows. What differs from run to run is under `measured`, which enters no profile.
 */
export const observedWindow = ({ verdict: { window, perMinute, recovery }, samples, atOnce }: Drive): unknown => ({
  ...(atOnce === null ? {} : { callsAtOnce: 'limited' }),
  enforced: unlessUndecided(perMinute, perMinute.enforced),
  algorithm: unlessUndecided(perMinute, window.algorithm),
  measured: {
    says: window.says,
    ...(atOnce === null ? {} : { callsAtOnce: crowdSays(atOnce) }),
    calls: samples.length,
    recoveredAfterMs: recovery.after,
  },
});

/** Load scripts judge a day's limit. */
const skipPerDay: Check = async () => {
  throw new Skipped(`A day's limit takes hours to use up: judge it with ${commandOf('load', 'per-day')}`);
};

// Remaining: it is judged on the drives and, whatever may be driven, on the calls that the run made with the given
// keys.

/** Whether all calls draw on one budget: none was admitted while the key was refused. */
const hasOneBudget = ({ verdict, outsider }: Drive): boolean =>
  verdict.probes.every(({ outcome, key }) => outcome !== 'admitted' || key === outsider?.label);

/** With several budgets Remaining may jump between them: that leaves it open, and the per-minute clause is to blame. */
function tallyRemaining(
  tally: Tally,
  { api }: Session,
  on: Parameters<typeof tallyJudgement>[1],
  judgement: Judgement,
  { isOneBudget, ...rest }: { readonly isOneBudget: boolean } & Partial<Finding>,
): void {
  const verdict = !isOneBudget && judgement.verdict === 'fails' ? 'undecided' : judgement.verdict;
  const due = isOneBudget ? judgement.blames : 'per-minute';
  const finding = {
    expected: 'Remaining falls with each call, and is 0 with the first 429',
    ...(due === undefined ? {} : { blames: `${api.name}.limits.${due}` }),
    ...(isOneBudget ? rest : {}),
  };
  tallyJudgement(tally, on, { ...judgement, verdict }, finding);
}
