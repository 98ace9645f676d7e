import { keyLimits, limitHeaders } from '../../contract/limits.ts';
import { judge, type Verdict } from '../../limits/judge/judge.ts';
import type { Sample } from '../../limits/judge/trace.ts';
import { headerOf } from '../../results/exchange.ts';
import { createTally, observed, type Tally } from '../../results/outcome.ts';
import { Skipped } from '../../results/stop.ts';
import type { Finding } from '../../results/verdict.ts';
import type { Check, Checks } from '../engine/engine.ts';
import { type Answered, judgeAll } from '../engine/every-response.ts';
import { findingOn } from '../engine/expect.ts';
import { partly } from '../engine/partly.ts';
import type { Answer } from '../session/call.ts';
import { answered } from '../session/evidence.ts';
import type { Session } from '../session/session.ts';
import { countedCalls } from './counted.ts';
import { codeTrouble } from './errors.ts';
import { headerFormats } from './header-formats.ts';
import { budgetsShared } from './key-or-account.ts';
import { type Drive, drive } from './minute.ts';

/** Calls over the limit, key type by key type. The live ones need WRITES=all, the enterprise one EXHAUST=all. */
const drives = (session: Session): readonly (() => Promise<Drive>)[] =>
  (['sandbox', 'live', 'enterprise'] as const).map((type) => () => drive(session, type));

/** A drive, and what the judge of load/ makes of it. */
type JudgedDrive = Drive & { readonly verdict: Verdict };

/** A clause that one drive over the limit decides: judged on each key type that can be had. */
const onDrives =
  (judgeOne: (tally: Tally, one: JudgedDrive) => void, record = false): Check =>
  async (session) => {
    const tally = createTally();
    const seen: Record<string, unknown> = {};
    for (const make of drives(session)) {
      await partly(tally, async () => {
        const one = await make();
        const verdict = judge(one.samples, { limit: one.limit, windowMs: one.windowMs });
        seen[one.type] = {
          enforced: verdict.perMinute.enforced,
          algorithm: verdict.window.algorithm,
          says: verdict.window.says,
          measured: { calls: one.samples.length, recoveredAfterMs: verdict.recovery.after },
        };
        judgeOne(tally, { ...one, verdict });
      });
    }
    return tally.outcome(record && Object.keys(seen).length > 0 ? seen : undefined);
  };

/** The answer to the first call that was refused, else to the first of all. */
const tellingOf = ({ answers, samples, verdict: { exceeded } }: JudgedDrive): Answer =>
  answers.get(exceeded.firstRefused ?? (samples[0] as Sample)) as Answer;

/** Turns a word of the judge into a comparison or an open part. */
function weigh(tally: Tally, one: JudgedDrive, word: { verdict: string; says: string }, expected: string): void {
  const finding = findingOn(tellingOf(one), {
    message: `Limit of a ${one.type} key: ${word.says}`,
    expected,
    actual: word.says,
    ...(one.verdict.exceeded.verdict === 'holds'
      ? {}
      : { cause: 'No call got 429', blames: 'developer.limits.exceeded' }),
  });
  if (word.verdict === 'holds') {
    tally.judge(null);
  } else if (word.verdict === 'undecided' || word.verdict === 'not judged') {
    tally.leaveOpen(finding);
  } else {
    tally.judge(finding);
  }
}

/** The refusal carries its code in the envelope's error. */
function refusalFinding(one: JudgedDrive): Finding | null {
  const { exchange } = tellingOf(one);
  const trouble = codeTrouble(exchange as Answered);
  return trouble === null
    ? null
    : findingOn(
        { exchange },
        {
          message: `Call over the limit of a ${one.type} key is refused otherwise: ${trouble}`,
          expected: '429 RATE_LIMITED in the envelope',
          actual: trouble,
        },
      );
}

/** Limits: judged on throw-away keys with few requests; a day's limit takes the load scripts. */
export const limits: Checks = {
  'developer.limits.headers': async ({ evidence }) =>
    judgeAll(answered(evidence), {
      expected: limitHeaders.join(', '),
      place: 'headers',
      trouble: ({ response }) => {
        const missing = limitHeaders.filter((name) => (headerOf(response.headers, name) ?? '') === '');
        return missing.length === 0 ? null : `without ${missing.join(', ')}`;
      },
    }),

  'developer.limits.exceeded': onDrives((tally, one) => {
    const { exceeded } = one.verdict;
    if (exceeded.verdict === 'holds') {
      tally.judge(refusalFinding(one));
    } else {
      weigh(tally, one, exceeded, '429 for the call over the limit');
    }
  }),

  'developer.limits.per-minute': onDrives((tally, one) => {
    weigh(tally, one, one.verdict.perMinute, `${one.limit} calls a minute from an idle key, not fewer and not more`);
  }, true),

  'developer.limits.per-day': () =>
    Promise.reject(
      new Skipped(
        `A day's limit (${keyLimits.sandbox.perDay}, ${keyLimits.live.perDay}) takes hours to fill: npm run load -- per-day judges it`,
      ),
    ),

  'developer.limits.recovery': onDrives((tally, one) => {
    weigh(tally, one, one.verdict.recovery, 'calls succeed again once the minute has passed');
  }),

  'developer.limits.remaining': onDrives((tally, one) => {
    weigh(tally, one, one.verdict.remaining, 'Remaining falls with each call, and is 0 with the first 429');
  }),

  'developer.limits.window': onDrives(() => {}, true),

  'developer.limits.header-format': async (session) => {
    // The calls over the limit show most of how the headers move; where they are forbidden, the run's other calls do.
    await Promise.allSettled([drive(session, 'sandbox'), session.others]);
    return observed(headerFormats(session));
  },

  'developer.limits.counted': async (session) => observed(await countedCalls(session)),

  'developer.limits.key-or-account': async (session) => observed(await budgetsShared(session)),
};
