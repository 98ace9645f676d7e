import { thousands, withArticle } from '../../../common/words.ts';
import { type Limits, minuteAt } from '../../../contract/limits.ts';
import { crowdSays } from '../../../limits/judge/bursts.ts';
import { judgeRemaining as judgeRemainingOf } from '../../../limits/judge/remaining.ts';
import { notMet } from '../../../results/drift.ts';
import type { Exchange } from '../../../results/exchange.ts';
import { createTally, type Tally } from '../../../results/outcome.ts';
import { Skipped } from '../../../results/stop.ts';
import type { Finding } from '../../../results/verdict.ts';
import type { Check } from '../../engine/check.ts';
import { findingOn } from '../../engine/expect.ts';
import { judgePart } from '../../engine/parts.ts';
import type { ApiKey } from '../../session/key.ts';
import { mainKeys } from '../../session/keys.ts';
import type { Session } from '../../session/session.ts';
import type { Drive } from './drive.ts';
import { earlierSampleOf, keyedExchanges } from './limit-samples.ts';

/** The answer of the judge of limits (limits/judge/) to one question. */
interface Judgement {
  readonly verdict: string;
  readonly says: string;
  /** The load script that examines it closely. */
  readonly closer?: string | null;
  /** The clause, without `limits.`, that keeps the judge from deciding. */
  readonly blames?: string;
}

/** The drives over a limit, each made once a run. A drive throws Skipped where the settings forbid it. */
export type Drives = (session: Session) => readonly (() => Promise<Drive>)[];

/** A check that judges each drive as a part of its own. `observe`: what is recorded of a drive, by its subject. */
const judgeDrives =
  (
    drives: Drives,
    judgeDrive: (tally: Tally, drive: Drive, session: Session) => void,
    observe?: (drive: Drive) => unknown,
  ): Check =>
  async (session) => {
    const tally = createTally();
    const observed: Record<string, unknown> = {};
    // All at once: drives that must not overlap wait for each other.
    const made = drives(session).map((makeDrive) => makeDrive());
    await Promise.allSettled(made);
    for (const promise of made) {
      await judgePart(tally, async () => {
        const drive = await promise;
        judgeDrive(tally, drive, session);
        if (observe !== undefined) {
          observed[drive.subject] = observe(drive);
        }
      });
    }
    return tally.outcome(Object.keys(observed).length > 0 ? observed : undefined);
  };

/** Tallies a judgement as a comparison, or as an open part if it is undecided. `rest`: more fields of the finding. */
function tallyJudgement(
  tally: Tally,
  { subject, decisive }: { readonly subject: string; readonly decisive: { readonly exchange: Exchange } },
  { verdict, says, closer }: Judgement,
  rest: Partial<Finding>,
): void {
  const advice = closer ? ` For more: npm run load -- ${closer}.` : '';
  const message = `Limit of ${withArticle(subject)}: ${says}${advice}`;
  const finding = findingOn(decisive, { message, actual: says, ...rest });
  if (verdict === 'undecided' || verdict === 'not judged') {
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

/** A check: a call over the limit gets 429 with the documented error. */
export const judgeExceeded = (drives: Drives): Check =>
  judgeDrives(drives, (tally, drive, session) => {
    const { exceeded } = drive.verdict;
    const { failure } = drive.decisive.exchange;
    if (exceeded.verdict === 'holds' && failure !== null) {
      tally.leaveOpen(findingOn(drive.decisive, { message: `Call over the limit cannot be read: ${failure.message}` }));
    } else if (exceeded.verdict === 'holds') {
      tally.judge(errorFinding(session, drive));
    } else {
      tallyJudgement(tally, drive, exceeded, {
        expected: '429 for the call over the limit',
        ...scriptOverLimit(drive),
      });
    }
  });

function errorFinding({ api }: Session, { subject, decisive }: Drive): Finding | null {
  const { response } = decisive.exchange;
  const trouble = response === null ? 'no response' : api.errorTrouble(response);
  return trouble === null
    ? null
    : findingOn(decisive, {
        message: `Call over the limit of ${withArticle(subject)} is not refused as documented: ${trouble}`,
        expected: '429 with the documented error',
        actual: trouble,
        place: '/error',
      });
}

/** A check: from an idle key a minute admits the documented number of calls, and refuses the next. */
export const judgePerMinute = (drives: Drives, observe?: (drive: Drive) => unknown): Check =>
  judgeDrives(
    drives,
    (tally, drive, session) => {
      const expected = `${drive.limit} calls a minute from an idle ${drive.subject}, not fewer and not more`;
      tallyJudgement(tally, drive, drive.verdict.perMinute, {
        expected,
        ...scriptOverLimit(drive),
        ...blamesExceeded(drive, session),
      });
    },
    observe,
  );

/** A check: once the minute has passed, calls succeed again. */
export const judgeRecovery = (drives: Drives): Check =>
  judgeDrives(drives, (tally, drive, session) => {
    const expected = 'calls succeed again once the minute has passed';
    const { recovery } = drive.verdict;
    tallyJudgement(tally, drive, recovery, { expected, ...blamesExceeded(drive, session) });
  });

/** A check that only records what drives show of the limiter. */
export const observeWindow = (drives: Drives, observe: (drive: Drive) => unknown): Check =>
  judgeDrives(drives, () => {}, observe);

/** The value, or `notMet` where an undecided judgement leaves it unknown: then it is no drift once it is known. */
const unlessUndecided = ({ verdict }: Judgement, value: unknown): unknown =>
  verdict === 'undecided' && (value === null || value === 'unknown' || value === 'none met') ? notMet : value;

/**
 * The algorithm that a limiter shows. Whether a drive finds the edges of a fixed window depends on when it was made, so
 * they are under `measured`, which enters no profile.
 */
export const observedWindow = ({ verdict: { window, perMinute, recovery }, samples, atOnce }: Drive): unknown => ({
  ...(atOnce === null ? {} : { callsAtOnce: 'limited' }),
  enforced: unlessUndecided(perMinute, perMinute.enforced),
  algorithm: unlessUndecided(perMinute, window.family),
  measured: {
    algorithm: window.algorithm,
    says: window.says,
    ...(atOnce === null ? {} : { callsAtOnce: crowdSays(atOnce) }),
    calls: samples.length,
    recoveredAfterMs: recovery.after,
  },
});

/** A check that skips: load scripts judge a day's limit. `limits`: those of each type of key, or of the plan. */
export const skipPerDay =
  (limits: (session: Session) => Readonly<Record<string, Limits>>): Check =>
  (session) => {
    const perDays = Object.entries(limits(session)).flatMap(([type, { perDay }]) =>
      perDay === null ? [] : [`${type} ${thousands(perDay)}`],
    );
    const message =
      perDays.length === 0
        ? 'The documents give no daily limit here; npm run load -- per-day --calls N shows whether there is one'
        : `The daily limit (${perDays.join(', ')}) takes hours to use up: judge it with npm run load -- per-day`;
    return Promise.reject(new Skipped(message));
  };

// Remaining.

/** Whether each key has a budget of its own; null: unknown. */
type HaveOwnBudgets = (session: Session) => Promise<boolean | null>;

const expectedRemaining = 'Remaining falls with each call, and is 0 with the first 429';

/**
 * A check: Remaining falls as calls are made, and is 0 when the first 429 comes. It judges the drives and, whatever may
 * be driven, the calls that the run made anyway with the given keys.
 */
export const judgeRemaining = (drives: Drives, haveOwnBudgets: HaveOwnBudgets): Check => {
  const judgeDriven = judgeDrives(drives, (tally, drive, session) => {
    const part = { isOneBudget: hasOneBudget(drive), ...blamesExceeded(drive, session) };
    tallyRemaining(tally, session, drive, drive.verdict.remaining, part);
  });
  return async (session) => {
    const judged = await judgeDriven(session);
    const driven = await Promise.allSettled(drives(session).map((drive) => drive()));
    const isOneBudget = driven.every((drive) => drive.status === 'rejected' || hasOneBudget(drive.value));
    await session.until('quiet');
    const isOwnBudget = (await haveOwnBudgets(session)) === true;
    const tally = createTally();
    tally.add(judged);
    for (const key of mainKeys(session)) {
      const { exchange, judgement } = remainingOf(session, key, isOwnBudget);
      if (exchange !== undefined) {
        const on = { subject: `${key.environment} key`, decisive: { exchange } };
        tallyRemaining(tally, session, on, judgement, { isOneBudget });
      }
    }
    return tally.outcome();
  };
};

/** Whether all calls draw on one budget: none was admitted while the key was refused. */
const hasOneBudget = ({ verdict }: Drive): boolean => verdict.probes.every(({ outcome }) => outcome !== 'admitted');

/** With several budgets Remaining may jump between them: that leaves it open, and the per-minute clause is to blame. */
function tallyRemaining(
  tally: Tally,
  { api }: Session,
  on: Pick<Drive, 'subject'> & { readonly decisive: { readonly exchange: Exchange } },
  judgement: Judgement,
  { isOneBudget, ...rest }: { readonly isOneBudget: boolean } & Partial<Finding>,
): void {
  if (isOneBudget) {
    const due = judgement.blames === undefined ? {} : { blames: `${api.name}.limits.${judgement.blames}` };
    tallyJudgement(tally, on, judgement, { expected: expectedRemaining, ...due, ...rest });
  } else {
    const verdict = judgement.verdict === 'fails' ? 'undecided' : judgement.verdict;
    tallyJudgement(
      tally,
      on,
      { ...judgement, verdict },
      { expected: expectedRemaining, blames: `${api.name}.limits.per-minute` },
    );
  }
}

/** What Remaining showed of a key in the calls that the run made anyway. `isOwnBudget`: no other key draws on its budget. */
function remainingOf(
  session: Session,
  key: ApiKey,
  isOwnBudget: boolean,
): { readonly exchange: Exchange | undefined; readonly judgement: Judgement } {
  const { evidence, settings } = session;
  const exchanges = keyedExchanges(evidence).filter(({ keyLabel }) => !isOwnBudget || keyLabel === key.label);
  const samples = new Map(exchanges.map((exchange) => [earlierSampleOf(exchange), exchange]));
  const windowMs = minuteAt(settings.CLOCK_SPEED);
  const judgement = judgeRemainingOf([...samples.keys()], {
    limit: session.api.perMinute(key, session.settings),
    windowMs,
    key: key.label,
  });
  const decisive = judgement.sample && samples.get(judgement.sample);
  return { exchange: decisive ?? exchanges.findLast(({ keyLabel }) => keyLabel === key.label), judgement };
}
