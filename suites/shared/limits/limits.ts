import { thousands, withArticle } from '../../../common/words.ts';
import type { Limits } from '../../../contract/limits.ts';
import { notMet } from '../../../results/drift.ts';
import type { Exchange } from '../../../results/exchange.ts';
import { createTally, type Tally } from '../../../results/outcome.ts';
import { Skipped } from '../../../results/stop.ts';
import type { Finding } from '../../../results/verdict.ts';
import type { Check } from '../../engine/check.ts';
import { findingOn } from '../../engine/expect.ts';
import { judgePart } from '../../engine/parts.ts';
import type { Session } from '../../session/session.ts';
import type { Drive } from './drive.ts';

/** What the judge of limits says of one question. */
export interface Word {
  readonly verdict: string;
  readonly says: string;
  /** The load script that looks closer. */
  readonly closer?: string | null;
  /** The clause of the limits, without `limits.`, to which it is due that the judge cannot say. */
  readonly blames?: string;
}

/** The drives over a limit that the settings allow, each made once a run. Each throws Skipped where they forbid it. */
export type Drives = (session: Session) => readonly (() => Promise<Drive>)[];

/** A clause that each drive over the limit decides. `observe`: what is recorded besides, by whose limit it is. */
export const onDrives =
  (
    drives: Drives,
    judgeOne: (tally: Tally, drive: Drive, session: Session) => void,
    observe?: (drive: Drive) => unknown,
  ): Check =>
  async (session) => {
    const tally = createTally();
    const seen: Record<string, unknown> = {};
    // All at once: those that have to follow one another see to it themselves.
    const made = drives(session).map((makeDrive) => makeDrive());
    await Promise.allSettled(made);
    for (const one of made) {
      await judgePart(tally, async () => {
        const drive = await one;
        judgeOne(tally, drive, session);
        if (observe !== undefined) {
          seen[drive.subject] = observe(drive);
        }
      });
    }
    return tally.outcome(Object.keys(seen).length > 0 ? seen : undefined);
  };

/** Makes a comparison, or an open part, of a word of the judge of limits. */
export function judgeWord(
  tally: Tally,
  { subject, decisive }: { readonly subject: string; readonly decisive: { readonly exchange: Exchange } },
  word: Word,
  rest: Partial<Finding>,
): void {
  const closer = word.closer ? ` For more: npm run load -- ${word.closer}.` : '';
  const message = `Limit of ${withArticle(subject)}: ${word.says}${closer}`;
  const finding = findingOn(decisive, { message, actual: word.says, ...rest });
  if (word.verdict === 'undecided' || word.verdict === 'not judged') {
    tally.leaveOpen(finding);
  } else {
    tally.judge(word.verdict === 'holds' ? null : finding);
  }
}

/** One call shows no limit: the script makes one more than it, one after the other, and counts what they get. */
const repeated = ({ decisive, limit }: Drive): Pick<Finding, 'curl'> => ({
  curl: decisive.exchange.curl
    .replace(/^for CALL [\s\S]*?^done\n/m, '')
    .replace(
      /^curl -i ((?:.*\\\n)*.*)$/m,
      (_, rest: string) =>
        `for CALL in $(seq ${limit + 1}); do\n  curl -sS -o /dev/null -w '%{http_code}\\n' ${rest}\ndone | sort | uniq -c`,
    ),
});

/** Where no call got 429, the clause that says so is to blame for whatever else cannot be decided. */
export const blamed = ({ verdict }: Drive, { api }: Session): Partial<Finding> =>
  verdict.exceeded.verdict === 'holds' ? {} : { blames: `${api.name}.limits.exceeded` };

/** Over the limit a call gets 429, in the API's own form of an error. */
export const judgeExceeded = (drives: Drives): Check =>
  onDrives(drives, (tally, drive, session) => {
    const { exceeded } = drive.verdict;
    if (exceeded.verdict === 'holds') {
      tally.judge(errorFinding(session, drive));
    } else {
      judgeWord(tally, drive, exceeded, { expected: '429 for the call over the limit', ...repeated(drive) });
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

/** A minute admits the documented number of calls from an idle key, and refuses the next. */
export const judgePerMinute = (drives: Drives, observe?: (drive: Drive) => unknown): Check =>
  onDrives(
    drives,
    (tally, drive, session) => {
      const expected = `${drive.limit} calls a minute from an idle ${drive.subject}, not fewer and not more`;
      judgeWord(tally, drive, drive.verdict.perMinute, { expected, ...repeated(drive), ...blamed(drive, session) });
    },
    observe,
  );

/** Once the minute has passed, calls succeed again. */
export const judgeRecovery = (drives: Drives): Check =>
  onDrives(drives, (tally, drive, session) => {
    const expected = 'calls succeed again once the minute has passed';
    judgeWord(tally, drive, drive.verdict.recovery, { expected, ...blamed(drive, session) });
  });

/** What algorithm the limiter shows, by whose limit it is. */
export const observeWindow = (drives: Drives, observe: (drive: Drive) => unknown): Check =>
  onDrives(drives, () => {}, observe);

/** What a drive that decides nothing leaves unknown: it is no change where the next one decides. */
const unlessOpen = ({ verdict }: Word, value: unknown): unknown =>
  verdict === 'undecided' && (value === null || value === 'unknown' || value === 'none met') ? notMet : value;

/**
 * The algorithm that a limiter shows. Where the edges of a fixed window lie can be told from one drive and not from the next,
 * as they fall: that is measured, and enters no profile.
 */
export const windowShown = ({ verdict: { window, perMinute, recovery }, samples }: Drive): unknown => ({
  enforced: unlessOpen(perMinute, perMinute.enforced),
  algorithm: unlessOpen(perMinute, window.algorithm.replace(/^fixed window.*/, 'fixed window')),
  measured: {
    algorithm: window.algorithm,
    says: window.says,
    calls: samples.length,
    recoveredAfterMs: recovery.after,
  },
});

/** A day's limit is the load scripts' matter. `limits`: those of each type of key, or of the plan. */
export const skipPerDay =
  (limits: (session: Session) => Readonly<Record<string, Limits>>): Check =>
  (session) => {
    const told = Object.entries(limits(session)).flatMap(([type, { perDay }]) =>
      perDay === null ? [] : [`${type} ${thousands(perDay)}`],
    );
    const days = told.length === 0 ? 'none' : told.join(', ');
    return Promise.reject(new Skipped(`A day's limit (${days}) takes hours to fill: npm run load -- per-day does it`));
  };
