import { mapLeaves } from '../common/json.ts';
import { thousands } from '../common/words.ts';
import type { ClauseResult } from './verdict.ts';

/**
 * How much of a target's data a report shows: characters of texts and of those in findings, numbers of findings and
 * items, levels of nesting. Whatever is longer is cut, with a mark that says so. No sane deployment reaches these limits, and a
 * hostile one cannot make a report too large to open.
 */
export const bounds = { text: 4_000, finding: 8_000, findings: 200, items: 500, depth: 24, observed: 200_000 } as const;

/**
 * The text with lone surrogates replaced, cut to `most` characters with a mark that says how long it was. Idempotent.
 * `fullLength` is the length of the whole text, if `text` is only its beginning.
 */
export function cut(text: string, most: number = bounds.text, fullLength: number = text.length): string {
  if (text.length <= most && fullLength <= most) {
    return text.toWellFormed();
  }
  const mark = ` … (cut, ${thousands(fullLength)} characters in all)`;
  const beginning = text.slice(0, Math.max(0, most - mark.length)).toWellFormed();
  return beginning.replace(/\ufffd$/, '') + mark;
}

/**
 * The value as JSON within the bounds, with sorted keys, so that two values compare and diff well. Takes anything: what
 * JSON cannot hold becomes text or null.
 */
export function boundJson(value: unknown): unknown {
  let left: number = bounds.observed;
  const bounded = (item: unknown, depth: number): unknown => {
    left -= typeof item === 'string' ? Math.min(item.length, bounds.text) : 1;
    if (typeof item !== 'object' || item === null) {
      return scalar(item);
    }
    if (depth === 0 || left <= 0) {
      return depth === 0 ? `… (cut, nested deeper than ${bounds.depth})` : '… (cut, too long in all)';
    }
    const keys = Array.isArray(item) ? [...item.keys()] : Object.keys(item).sort();
    const parts = keys
      .slice(0, bounds.items)
      .map((key) => [cut(String(key)), bounded((item as Record<string, unknown>)[key], depth - 1)] as const);
    const isCut = parts.length < keys.length;
    if (Array.isArray(item)) {
      const items = parts.map(([, part]) => part);
      return isCut ? [...items, `… (cut, ${thousands(keys.length)} items in all)`] : items;
    }
    return Object.fromEntries(isCut ? [...parts, ['…', `(cut, ${thousands(keys.length)} fields in all)`]] : parts);
  };
  return bounded(value, bounds.depth);
}

function scalar(item: unknown): unknown {
  if (typeof item === 'string') {
    return cut(item);
  }
  if (typeof item === 'boolean' || Number.isFinite(item)) {
    return Object.is(item, -0) ? 0 : item;
  }
  return item === undefined || item === null ? null : String(item);
}

/** A clause's result as every report shows it: texts, findings and observed values within the bounds. */
export function boundResult(result: ClauseResult): ClauseResult {
  const kept = result.findings.slice(0, bounds.findings);
  const shorten = (leaf: unknown): unknown => (typeof leaf === 'string' ? cut(leaf, bounds.finding) : leaf);
  const findings = mapLeaves(kept, shorten) as ClauseResult['findings'][number][];
  const left = result.findings.length - kept.length;
  if (left > 0) {
    findings[findings.length - 1] = { message: `${thousands(left + 1)} further findings are left out` };
  }
  return { ...result, findings, observed: boundJson(result.observed) };
}
