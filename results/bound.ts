import { isObject } from '../common/json.ts';
import { thousands } from '../common/words.ts';
import type { ClauseResult } from './verdict.ts';

/**
 * How much of a target's data a report shows: characters of texts, commands and values, numbers of findings. Whatever is
 * longer is cut, with a mark that says so. No sane deployment reaches these limits, and a hostile one cannot make a report
 * too large to open.
 */
export const bounds = { text: 4_000, curl: 8_000, findings: 200, observed: 200_000 } as const;

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
 * The value as JSON within the bounds, with sorted keys, so that two values compare and diff well; as the beginning of its
 * text where it is too long in all. Takes anything: what JSON cannot hold becomes text or null.
 */
export function boundJson(value: unknown): unknown {
  const text = JSON.stringify(value, (_, part: unknown) => {
    if (isObject(part)) {
      return Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)));
    }
    const isNoJson = typeof part === 'bigint' || (typeof part === 'number' && !Number.isFinite(part));
    return typeof part === 'string' || isNoJson ? cut(String(part)) : part;
  });
  return text === undefined || text.length <= bounds.observed ? (JSON.parse(text ?? 'null') as unknown) : cut(text);
}

/** A clause's result as every report shows it: texts, findings and observed values within the bounds. */
export function boundResult(result: ClauseResult): ClauseResult {
  const kept = result.findings.slice(0, bounds.findings);
  // JSON.stringify gives each text with the name of its field.
  const bounded = JSON.stringify(kept, (name, part: unknown) =>
    typeof part === 'string' ? cut(part, name === 'curl' ? bounds.curl : bounds.text) : part,
  );
  const findings = JSON.parse(bounded) as ClauseResult['findings'][number][];
  const left = result.findings.length - kept.length;
  if (left > 0) {
    findings[findings.length - 1] = { message: `${thousands(left + 1)} further findings are left out` };
  }
  return { ...result, findings, observed: boundJson(result.observed) };
}
