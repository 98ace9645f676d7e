import { canonical } from '../common/json.ts';
import { thousands } from '../common/words.ts';
import type { ClauseResult, Finding } from './verdict.ts';

/**
 * How much of a target's data a report shows: characters of texts, of those in findings, and of an observation; numbers of
 * findings. Whatever is longer is cut, with a mark that says so. No sane deployment reaches these limits, and a hostile one
 * cannot make a report too large to open.
 */
export const bounds = { text: 4_000, finding: 8_000, findings: 200, observed: 200_000 } as const;

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

/** The value as JSON with sorted keys, so that two compare and diff well; too long, it is the beginning of its text. */
export function boundJson(value: unknown): unknown {
  const text = canonical(value ?? null);
  return text.length > bounds.observed ? cut(text) : withTextsCut(text, bounds.text);
}

const withTextsCut = (json: string, most: number): unknown =>
  JSON.parse(json, (_, part: unknown) => (typeof part === 'string' ? cut(part, most) : part));

/** A clause's result as every report shows it: texts, findings and observed values within the bounds. */
export function boundResult(result: ClauseResult): ClauseResult {
  const kept = result.findings.slice(0, bounds.findings);
  const findings = withTextsCut(JSON.stringify(kept), bounds.finding) as Finding[];
  const left = result.findings.length - kept.length;
  if (left > 0) {
    findings[findings.length - 1] = { message: `${thousands(left + 1)} further findings are left out` };
  }
  return { ...result, findings, observed: boundJson(result.observed) };
}
