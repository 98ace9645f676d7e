// Many simultaneous calls, again and again: what each burst admitted, and whether a limit of concurrent calls is why.
import { firstOf } from '../../common/words.ts';
import { judge, type Verdict } from './judge.ts';
import type { PerMinuteVerdict } from './minute.ts';
import { type Call, callsOf, type Range, type Sample, type Terms } from './trace.ts';

/** One burst, and the calls that were made a little later to see whether its window is still full. */
type Burst = ReturnType<typeof burstsIn>[number];

/** The bursts of a trace. The phase of a call (`burst 1`, `tail 1`) says which burst it belongs to. */
function burstsIn(samples: readonly Sample[], key = samples[0]?.key ?? '') {
  const calls = callsOf(samples, key);
  const numbers = new Set(calls.flatMap(({ sample }) => /^burst (\d+)$/.exec(sample.phase)?.[1] ?? []));
  const inPhase = (name: string): Call[] => calls.filter(({ sample }) => sample.phase === name);
  return [...numbers].map((number) => ({ calls: inPhase(`burst ${number}`), tail: inPhase(`tail ${number}`) }));
}

const count = (calls: readonly Call[], outcome: Call['outcome']): number =>
  calls.filter((call) => call.outcome === outcome).length;

/** Whether a call was already under way, or began, while another was. Calls that take no time are beside no other. */
const isBeside = (other: Range, { from, to }: Range): boolean => other.from <= to && other.to > from;

/**
 * The fewest calls that were under way beside any of the refused ones, without other refused ones; 0 if one of these
 * was alone. A limit on concurrent calls refuses a call only beside as many as it admits.
 */
export const fewestBeside = (refused: readonly Range[], admitted: readonly Range[]): number =>
  refused.reduce(
    (fewest, call) => Math.min(fewest, admitted.filter((other) => isBeside(other, call)).length),
    refused.length === 0 ? 0 : admitted.length,
  );

/** What is said of a limit on concurrent calls. */
export const crowdSays = (atOnce: number): string =>
  `Calls also got 429 with ${atOnce} or more others in flight, but not one at a time: a concurrency limit, which the documents do not mention. The minute was judged with fewer concurrent calls.`;

/**
 * How many concurrent calls seem to be admitted, if every burst had fewer than the limit, each refused call was beside
 * others, and the few calls some time later, one after the other, were admitted; null otherwise. A limit of calls a
 * second looks the same in bursts.
 */
function mostAtOnce(bursts: readonly Burst[], limit: number): number | null {
  const split = (calls: readonly Call[], isRefused: boolean): Call[] =>
    calls.filter(({ sample }) => (sample.status === 429) === isRefused);
  const fewest = Math.min(...bursts.map(({ calls }) => fewestBeside(split(calls, true), split(calls, false))));
  const isShort = ({ calls, tail }: Burst): boolean =>
    count(calls, 'admitted') < limit && tail.length > 0 && split(tail, true).length === 0;
  return bursts.length > 0 && bursts.every(isShort) && fewest > 0 ? fewest : null;
}

/** Judges a trace of bursts (procedure/burst.ts) of one key. Throws nothing. */
export function judgeBursts(samples: readonly Sample[], terms: Terms): Verdict {
  const bursts = burstsIn(samples, terms.key);
  const atOnce = mostAtOnce(bursts, terms.limit);
  if (atOnce !== null) {
    const says = `Calls were refused with ${atOnce} or more others in flight, but admitted one at a time: the limit is on concurrent calls, or on calls a second.`;
    const judged = judge(
      samples.filter(({ status }) => status !== 429),
      terms,
    );
    return { ...judged, perMinute: { verdict: 'undecided', enforced: null, says } };
  }
  // Bursts before the first admitted call met a block from earlier, such as that of an address.
  const first = bursts.findIndex(({ calls }) => count(calls, 'admitted') > 0);
  const blocked = bursts.slice(0, Math.max(0, first)).flatMap(({ calls, tail }) => [...calls, ...tail]);
  const left = new Set(blocked.map(({ sample }) => sample));
  const judged = judge(
    samples.filter((sample) => !left.has(sample)),
    terms,
  );
  const { perMinute } = judged;
  const admitted = bursts.map(({ calls }) => count(calls, 'admitted'));
  const most = admitted.reduce((highest, number) => Math.max(highest, number), 0);
  // Bursts that differ have no number in common: the counter is racy, or several count.
  const number: PerMinuteVerdict =
    perMinute.verdict === 'more' && most > terms.limit
      ? {
          ...perMinute,
          enforced: null,
          says: `Up to ${most} calls were admitted in a burst; documented: ${terms.limit}.`,
        }
      : perMinute;
  const shown = firstOf(
    admitted.map((number) => `${number}`),
    10,
  );
  return { ...judged, perMinute: { ...number, says: `${number.says} Bursts: ${shown} admitted.` } };
}
