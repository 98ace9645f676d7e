import { thousands } from '../../common/words.ts';
import type { Limits } from '../../contract/limits.ts';
import type { Sample } from './trace.ts';

const names = { limit: 'X-RateLimit-Limit', remaining: 'X-RateLimit-Remaining', reset: 'X-RateLimit-Reset' } as const;

/** Whether a text has a number or a date in it, unlike `NaN`, `undefined` and a dash. */
const hasDigit = (text: string): boolean => /\d/.test(text);

/**
 * What is wrong with the three headers of a response: names those that are absent or empty, or have neither number nor
 * date.
 */
export function headerTroubles(sample: Pick<Sample, keyof typeof names>): string[] {
  return Object.entries(names).flatMap(([field, name]) => {
    const text = sample[field as keyof typeof names];
    if (text === null || text.trim() === '') {
      return [`${name} absent`];
    }
    return hasDigit(text) ? [] : [`${name}: ${text.slice(0, 40)}`];
  });
}

interface LimitValueVerdict {
  readonly verdict: 'holds' | 'fails' | 'undecided';
  readonly says: string;
  /** The first response that shows another number. */
  readonly sample: Sample | null;
}

/** The numbers of a text, leaving out the length of a window: 120 in `120;w=60`. */
const numbersIn = (text: string): number[] =>
  (text.replace(/;\s*w(indow)?\s*=\s*\d+/gi, '').match(/\d+/g) ?? []).map(Number);

/** `120 (a minute) or 50,000 (a day)`. */
function numbersOf(limits: Limits | null): string {
  if (limits === null) {
    return 'a number';
  }
  const { perMinute, perDay } = limits;
  return `${thousands(perMinute)} (a minute)${perDay === null ? '' : ` or ${thousands(perDay)} (a day)`}`;
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
  const isDocumented = ({ limit }: Sample): boolean => {
    const numbers = numbersIn(limit ?? '');
    return limits === null
      ? numbers.length > 0
      : numbers.some((number) => number === limits.perMinute || number === limits.perDay);
  };
  const odd = shown.find((sample) => !isDocumented(sample));
  if (odd === undefined) {
    return { verdict: 'holds', says: `X-RateLimit-Limit is ${first.limit}.`, sample: null };
  }
  return { verdict: 'fails', says: `X-RateLimit-Limit is ${odd.limit}, not ${numbersOf(limits)}.`, sample: odd };
}
