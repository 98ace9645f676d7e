// The three headers: their numbers, whose limit they describe, and whether Limit shows the documented number.
import { thousands } from '../../common/words.ts';
import type { Limits } from '../../contract/limits.ts';
import type { Sample } from './trace.ts';

/** The first number of a header such as `60`, `60, 60;w=60` or `"permin";r=12`; null if there is none. */
export function firstNumber(text: string | null): number | null {
  const match = text === null ? null : /(?:^|[\s,;=])(-?\d+(?:\.\d+)?)/.exec(text);
  return match === null ? null : Number(match[1]);
}

const names = { limit: 'X-RateLimit-Limit', remaining: 'X-RateLimit-Remaining', reset: 'X-RateLimit-Reset' } as const;

/** The three headers of a limit, as they came. */
type LimitHeaders = Pick<Sample, keyof typeof names>;

/** The items of a header, which may be several lines. The comma in a date separates nothing. */
const itemsOf = (text: string | null): string[] =>
  text === null ? [] : text.split(/,(?!\s*\d\d[ -][A-Za-z]{3}[ -])/).map((item) => item.trim());

/** The limits in Limit. What follows the first with parameters describes a limit, and is none: `60;w=60` after `60`. */
const limitsIn = (text: string | null): string[] =>
  itemsOf(text).filter((item, place) => place === 0 || !item.includes(';'));

/**
 * The headers of the limit with that number. A gateway with a limit of its own writes its values beside the service's, as
 * lines or in a list: values of one place belong together. null: Limit shows another number, or two limits stand in one
 * header and nothing tells whose Remaining it is.
 */
export function headersOfLimit<T extends LimitHeaders>(sample: T, limit: number): T | null {
  const remaining = itemsOf(sample.remaining);
  const reset = itemsOf(sample.reset);
  const isList = remaining.length > 1;
  const limits = isList ? itemsOf(sample.limit) : limitsIn(sample.limit);
  const places = limits.flatMap((item, place) => (firstNumber(item) === limit ? [place] : []));
  const [at] = places;
  if (at === undefined || (!isList && places.length < limits.length)) {
    return null;
  }
  if (!isList) {
    return sample;
  }
  const isTold = limits.length === remaining.length && places.every((place) => remaining[place] === remaining[at]);
  const ofPlace = reset.length === limits.length ? (reset[at] ?? null) : null;
  return isTold
    ? {
        ...sample,
        limit: limits[at] ?? null,
        remaining: remaining[at] ?? null,
        reset: reset.length < 2 ? sample.reset : ofPlace,
      }
    : null;
}

/** Whether the three headers describe the minute's window: only if Limit shows the minute's number. */
export const showsMinute = (sample: LimitHeaders, limit: number): boolean => headersOfLimit(sample, limit) !== null;

/** Remaining of the minute's limit; null where the headers do not show it. */
export const minuteRemaining = (sample: LimitHeaders, limit: number): number | null =>
  firstNumber(headersOfLimit(sample, limit)?.remaining ?? null);

/** Whether the headers carry the values of several limits, and not those of this one alone. */
export const hasSeveralLimits = ({ limit, remaining }: LimitHeaders): boolean =>
  Math.max(limitsIn(limit).length, itemsOf(remaining).length) > 1;

/**
 * What is wrong with the three headers of a response: names those that are absent or empty, or have neither number nor
 * date, such as `NaN`, `undefined` and a dash.
 */
export function headerTroubles(sample: LimitHeaders): string[] {
  return Object.entries(names).flatMap(([field, name]) => {
    const text = sample[field as keyof LimitHeaders];
    if (text === null || text.trim() === '') {
      return [`${name} absent`];
    }
    return /\d/.test(text) ? [] : [`${name}: ${text.slice(0, 40)}`];
  });
}

interface LimitValueVerdict {
  readonly verdict: 'holds' | 'fails' | 'undecided';
  readonly says: string;
  /** The first response that shows another number. */
  readonly sample: Sample | null;
}

/**
 * Whether X-RateLimit-Limit shows the documented number of the key's type, for the minute or the day, on every response
 * that has the header. `samples` are calls with a valid key of that type. `limits` is null if any number will do
 * (enterprise).
 */
export function judgeLimitValue(samples: readonly Sample[], limits: Limits | null): LimitValueVerdict {
  // An empty header is judged as a missing one.
  const shown = samples.filter(({ limit }) => limit !== null && limit.trim() !== '');
  const [first] = shown;
  if (first === undefined) {
    return { verdict: 'undecided', says: 'No response carries X-RateLimit-Limit.', sample: null };
  }
  const isDocumented = ({ limit }: Sample): boolean =>
    itemsOf(limit)
      .map(firstNumber)
      .some((number) => number !== null && (limits === null || Object.values(limits).includes(number)));
  const odd = shown.find((sample) => !isDocumented(sample));
  if (odd === undefined) {
    return { verdict: 'holds', says: `X-RateLimit-Limit is ${first.limit}.`, sample: null };
  }
  const perDay = limits?.perDay ? ` or ${thousands(limits.perDay)} (a day)` : '';
  const expected = limits === null ? 'a number' : `${thousands(limits.perMinute)} (a minute)${perDay}`;
  return { verdict: 'fails', says: `X-RateLimit-Limit is ${odd.limit}, not ${expected}.`, sample: odd };
}
