import { thousands } from '../common/words.ts';
import type { ClauseResult } from './verdict.ts';

/**
 * How much of what a target sent a report shows. Everything longer is cut, and the cut says so. The limits are far above
 * what a sane deployment sends, and low enough that a hostile one cannot make a report too large to open.
 */
export const bounds = { text: 4_000, curl: 8_000, findings: 200, items: 500, depth: 24, observed: 200_000 } as const;

/**
 * The text with lone surrogates replaced; where it is longer than `most`, its beginning and how long it was. Idempotent.
 * `all` is that length where the text given is a beginning already.
 */
export function cut(text: string, most: number = bounds.text, all: number = text.length): string {
  if (text.length <= most && all <= most) {
    return text.toWellFormed();
  }
  const mark = ` … (cut, ${thousands(all)} characters in all)`;
  return (
    text
      .slice(0, Math.max(0, most - mark.length))
      .toWellFormed()
      .replace(/\ufffd$/, '') + mark
  );
}

/** Where an object of observed values was cut, the key under which that is said. */
const more = '…';

/**
 * A JSON value with everything cut to the bounds and the keys sorted, so that two of them compare and diff well.
 * Takes anything; what JSON cannot hold becomes text or null.
 */
export function boundJson(value: unknown): unknown {
  let left: number = bounds.observed;
  const bounded = (item: unknown, depth: number): unknown => {
    left -= 1;
    if (typeof item === 'string') {
      return spend(item);
    }
    if (item === null || typeof item === 'boolean' || Number.isFinite(item)) {
      return Object.is(item, -0) ? 0 : item;
    }
    if (typeof item !== 'object') {
      return item === undefined ? null : String(item);
    }
    if (depth === 0) {
      return `${more} (cut, nested deeper than ${bounds.depth})`;
    }
    if (left <= 0) {
      return `${more} (cut, over ${thousands(bounds.observed)} characters in all)`;
    }
    return Array.isArray(item) ? list(item, depth) : fields(item, depth);
  };
  const spend = (text: string): string => {
    const shown = cut(text);
    left -= shown.length;
    return shown;
  };
  const list = (items: readonly unknown[], depth: number): unknown[] => {
    const shown = items.slice(0, bounds.items).map((item) => bounded(item, depth - 1));
    return shown.length === items.length ? shown : [...shown, `${more} (cut, ${thousands(items.length)} items in all)`];
  };
  const fields = (object: object, depth: number): Record<string, unknown> => {
    const keys = Object.keys(object).sort();
    const shown = keys
      .slice(0, bounds.items)
      .map((key) => [spend(key), bounded((object as Record<string, unknown>)[key], depth - 1)] as const);
    const rest =
      shown.length === keys.length ? [] : [[more, `(cut, ${thousands(keys.length)} fields in all)`] as const];
    return Object.fromEntries([...shown, ...rest]);
  };
  return bounded(value, bounds.depth);
}

/** The same with each of its texts within the bounds. What a finding does not say it leaves out. */
const boundTexts = <T extends object>(value: T): T =>
  Object.fromEntries(
    Object.entries(value).flatMap(([name, part]: [string, unknown]) => {
      if (part === undefined) {
        return [];
      }
      const isTree = typeof part === 'object' && part !== null;
      return [
        [
          name,
          typeof part === 'string'
            ? cut(part, bounds[name === 'curl' ? 'curl' : 'text'])
            : isTree
              ? boundTexts(part)
              : part,
        ],
      ];
    }),
  ) as T;

/** A clause's result as every report shows it: texts, findings and observed values within the bounds. */
export function boundResult(result: ClauseResult): ClauseResult {
  const findings = result.findings.slice(0, bounds.findings).map(boundTexts);
  const left = result.findings.length - findings.length;
  if (left > 0) {
    findings[findings.length - 1] = { message: `${thousands(left + 1)} further findings are left out` };
  }
  return { ...result, findings, observed: boundJson(result.observed) };
}
