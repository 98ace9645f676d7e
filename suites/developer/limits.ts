import { judge, type Verdict } from '../../load/judge/judge.ts';
import { keyLimits, limitHeaders } from '../../contract/limits.ts';
import type { Check, Checks } from '../kit/engine.ts';
import { answered } from '../kit/evidence.ts';
import { judgeAll } from '../kit/every-response.ts';
import { headerOf } from '../kit/exchange.ts';
import { createTally, observed, type Tally } from '../kit/outcome.ts';
import type { Session } from '../kit/session.ts';
import { Skipped } from '../kit/stop.ts';
import type { Finding } from '../kit/verdict.ts';
import { countedCalls } from './counted.ts';
import { codeTrouble } from './errors.ts';
import { headerFormats } from './header-formats.ts';
import { budgetsShared } from './key-or-account.ts';
import { drive, findingFrom, type Drive } from './minute.ts';
import { partly } from '../kit/partly.ts';

/** Calls over the limit, key type by key type. The live ones need WRITES=all, the enterprise one EXHAUST=all. */
const drives = (session: Session): readonly (() => Promise<Drive>)[] => (['sandbox', 'live', 'enterprise'] as const).map((type) => () => drive(session, type));

/** A clause that one drive over the limit decides: judged on each key type that can be had. */
const onDrives = (judgeOne: (tally: Tally, verdict: Verdict, one: Drive) => void, record = false): Check => async (session) => {
  const tally = createTally();
  const seen: Record<string, unknown> = {};
  for (const make of drives(session)) {
    await partly(tally, async () => {
      const one = await make();
      const verdict = judge(one.samples, { limit: one.limit, windowMs: one.windowMs });
      seen[one.type] = {
        enforced: verdict.perMinute.enforced, algorithm: verdict.window.algorithm, says: verdict.window.says,
        measured: { calls: one.samples.length, recoveredAfterMs: verdict.recovery.after },
      };
      judgeOne(tally, verdict, one);
    });
  }
  return tally.outcome(record && Object.keys(seen).length > 0 ? seen : undefined);
};

/** Turns a word of the judge into a comparison or an open part. */
function weigh(tally: Tally, one: Drive, word: { verdict: string; says: string }, good: string, expected: string): void {
  const unlimited = !one.samples.some(({ status }) => status === 429);
  const finding = findingFrom(one, {
    message: `${one.name}: ${word.says}`, expected, actual: word.says, ...(unlimited ? { cause: 'No call met a 429: see developer.limits.exceeded' } : {}),
  });
  if (word.verdict === good) tally.judge(null);
  else if (word.verdict === 'undecided' || word.verdict === 'not judged') tally.leaveOpen(finding);
  else tally.judge(finding);
}

/** The refusal carries its code in the envelope's error. */
function refusalFinding(one: Drive): Finding | null {
  const { response } = one.telling.exchange;
  const trouble = response === null ? null : codeTrouble({ response });
  return trouble === null ? null : findingFrom(one, {
    message: `${one.name}: call over the limit is refused ${trouble.startsWith('no ') ? 'with ' : ''}${trouble}`,
    expected: '429 RATE_LIMITED in the envelope', actual: trouble,
  });
}

/** Limits: judged on throw-away keys with few requests; a day's limit takes the load scripts. */
export const limits: Checks = {
  'developer.limits.headers': async ({ evidence }) => judgeAll(answered(evidence), {
    expected: limitHeaders.join(', '), place: 'headers',
    trouble: ({ response }) => {
      const missing = limitHeaders.filter((name) => (headerOf(response.headers, name) ?? '').trim() === '');
      return missing.length === 0 ? null : `without ${missing.join(', ')}`;
    },
  }),

  'developer.limits.exceeded': onDrives((tally, { exceeded }, one) => {
    weigh(tally, one, exceeded, 'holds', '429 for the call over the limit');
    if (exceeded.verdict === 'holds') tally.judge(refusalFinding(one));
  }),

  'developer.limits.per-minute': onDrives((tally, { perMinute }, one) => {
    weigh(tally, one, perMinute, 'holds', `${one.limit} calls a minute from an idle key, not fewer and not more`);
  }, true),

  'developer.limits.per-day': () => Promise.reject(new Skipped(
    `A day's limit (${keyLimits.sandbox.perDay}, ${keyLimits.live.perDay}) takes hours to fill: npm run load -- per-day judges it`)),

  'developer.limits.recovery': onDrives((tally, { recovery }, one) => {
    weigh(tally, one, recovery, 'holds', 'calls succeed again once the minute has passed');
  }),

  'developer.limits.remaining': onDrives((tally, { remaining }, one) => {
    weigh(tally, one, remaining, 'holds', 'Remaining falls with each call, and is 0 with the first 429');
  }),

  'developer.limits.window': onDrives((tally) => { tally.judge(null); }, true),

  'developer.limits.header-format': async (session) => {
    // The calls over the limit show most of how the headers move; where they are forbidden, the run's other calls do.
    await Promise.allSettled([drive(session, 'sandbox'), session.others]);
    return observed(headerFormats(session));
  },

  'developer.limits.counted': async (session) => observed(await countedCalls(session)),

  'developer.limits.key-or-account': async (session) => observed(await budgetsShared(session)),
};
