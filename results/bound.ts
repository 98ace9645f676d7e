import { thousands } from '../common/words.ts';
import type { ClauseResult } from './verdict.ts';

/**
 * How much of a target's data a report shows: characters of texts and commands, numbers of findings and items, levels
 * of nesting. Whatever is longer is cut, with a mark that says so. No sane deployment reaches these limits, and a
 * hostile one cannot make a report too large to open.
 */
export const bounds = { text: 4_000, curl: 8_000, findings: 200, items: 500, depth: 24, observed: 200_000 } as const;

/**
 * The text with lone surrogates replaced, cut to `most` characters with a mark that says how long it was. Idempotent.
 * `fullLength` is the length of the whole text, if `text` is only its beginning.
 */
export function cut(text: string, most: number = bounds.text, fullLength: number = text.length): string {
  if (text.length <= most && fullLength <= most) {
    return text.toWellFormed();
  }
  const mark = ` … (cut, ${thousands(fullLength)} characters in all)`;
  return (
    text
      .slice(0, Math.max(0, most - mark.length))
      .toWellFormed()
      .replace(/\ufffd$/, '') + mark
  );
}

/** The key of the mark in an object that was cut, and the beginning of the mark in a list. */
const more = '…';

/**
 * The value as JSON within the bounds, with sorted keys, so that two values compare and diff well. Takes anything: what
 * JSON cannot hold becomes text or null.
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

/** A finding, or a part of it, with all its texts within the bounds, and without undefined fields. */
function boundTexts<T extends object>(value: T): T {
  const bounded = Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .map(([name, part]: [string, unknown]) => [name, boundPart(name, part)]);
  return Object.fromEntries(bounded) as T;
}

function boundPart(name: string, part: unknown): unknown {
  if (typeof part === 'string') {
    return cut(part, name === 'curl' ? bounds.curl : bounds.text);
  }
  if (Array.isArray(part)) {
    return part.slice(0, bounds.items).map((item) => boundPart(name, item));
  }
  return typeof part === 'object' && part !== null ? boundTexts(part) : part;
}

/** A clause's result as every report shows it: texts, findings and observed values within the bounds. */
export function boundResult(result: ClauseResult): ClauseResult {
  const findings = result.findings.slice(0, bounds.findings).map(boundTexts);
  const left = result.findings.length - findings.length;
  if (left > 0) {
    findings[findings.length - 1] = { message: `${thousands(left + 1)} further findings are left out` };
  }
  return { ...result, findings, observed: boundJson(result.observed) };
}
