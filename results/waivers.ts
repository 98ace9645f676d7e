import { readFileSync } from 'node:fs';
import { Ajv, type ErrorObject } from 'ajv';
import formats from 'ajv-formats';
import { CannotRun } from '../common/cannot-run.ts';
import { clauses, isClause } from '../contract/clauses.ts';
import type { ClauseResult } from './verdict.ts';

/** A known failure that the run's owner accepts for a while (setting WAIVERS). */
export interface Waiver {
  readonly clause: string;
  readonly reason: string;
  /** YYYY-MM-DD: the last day (UTC) on which it holds. */
  readonly expires: string;
}

/** What waivers did to a run. */
export interface Waived {
  readonly results: readonly ClauseResult[];
  /** Waivers that no longer hold: each of them fails the run. */
  readonly problems: readonly string[];
  /** Waivers that were neither used nor disproved. */
  readonly notes: readonly string[];
}

const validate = formats.default(new Ajv({ allErrors: true })).compile<Waiver>({
  type: 'object',
  // Fields besides (an owner, a ticket) are the file's own business; a misspelt one leaves its own missing.
  required: ['clause', 'reason', 'expires'],
  properties: {
    clause: { type: 'string', pattern: '\\S' },
    reason: { type: 'string', pattern: '\\S' },
    expires: { type: 'string', format: 'date' },
  },
});

const mayBe: Readonly<Record<string, string>> = {
  clause: `a clause id such as "${clauses[0]?.id}"`,
  reason: 'a text that says why',
  expires: 'a date such as "2026-12-31"',
};

/** The waivers in a file. Throws CannotRun, naming the file, the entry and what it may be. */
export function readWaivers(file: string): readonly Waiver[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw refusal(file, cause instanceof Error ? cause.message : String(cause));
  }
  return parseWaivers(text, file);
}

/** The waivers in the text of a file: a list, or a list under `waivers`. Throws CannotRun as `readWaivers` does. */
export function parseWaivers(text: string, file: string): readonly Waiver[] {
  const entries = entriesOf(text, file);
  const seen = new Map<string, number>();
  return entries.map((entry: unknown, index) => {
    if (!validate(entry)) {
      throw refusal(file, (validate.errors ?? []).map((error) => complaint(entry, error)).join('; '), index);
    }
    const first = seen.get(entry.clause);
    if (first !== undefined) {
      throw refusal(file, `clause ${JSON.stringify(entry.clause)} already stands in entry ${first + 1}`, index);
    }
    seen.set(entry.clause, index);
    return entry;
  });
}

function entriesOf(text: string, file: string): readonly unknown[] {
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (cause) {
    throw refusal(file, `it is not JSON (${cause instanceof Error ? cause.message : String(cause)})`);
  }
  const list = typeof json === 'object' && json !== null && 'waivers' in json ? json.waivers : json;
  if (!Array.isArray(list)) {
    throw refusal(file, 'it may be a list of {"clause", "reason", "expires"}, or {"waivers": [that list]}');
  }
  return list;
}

function complaint(entry: unknown, error: ErrorObject): string {
  if (error.keyword === 'type' && error.instancePath === '') {
    return `${show(entry)} is no object with clause, reason and expires`;
  }
  const { missingProperty } = error.params as Record<string, string | undefined>;
  if (missingProperty !== undefined) {
    return `${missingProperty} is missing, and may be ${mayBe[missingProperty] ?? 'a text'}`;
  }
  const field = error.instancePath.slice(1);
  return `${field} is ${show((entry as Record<string, unknown>)[field])}, and may be ${mayBe[field] ?? 'a text'}`;
}

const show = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 80);

const refusal = (file: string, why: string, index?: number): CannotRun =>
  new CannotRun(
    `Cannot use WAIVERS ${file}: ${index === undefined ? '' : `entry ${index + 1}: `}${why}`.replace(/\s+/g, ' '),
  );

/**
 * Sets the failures that waivers name aside. A waived failure keeps its findings and gets `waiver`; its verdict becomes
 * `inconclusive`, since a run with a `fail` can be nothing but non-conformant, and its first finding says what decides it.
 */
export function applyWaivers(results: readonly ClauseResult[], waivers: readonly Waiver[], now: Date): Waived {
  const today = now.toISOString().slice(0, 10);
  const byClause = new Map(waivers.map((waiver) => [waiver.clause, waiver]));
  const verdicts = new Map(results.map(({ id, verdict }) => [id as string, verdict]));
  return {
    results: results.map((result) => {
      const waiver = byClause.get(result.id);
      return waiver !== undefined && waiver.expires >= today ? setAside(result, waiver) : result;
    }),
    problems: waivers.flatMap((waiver) => problemOf(waiver, verdicts.get(waiver.clause), today)),
    notes: waivers.flatMap((waiver) => noteOf(waiver, verdicts.get(waiver.clause), today)),
  };
}

function setAside(result: ClauseResult, { reason, expires }: Waiver): ClauseResult {
  if (result.verdict !== 'fail' && result.verdict !== 'warn') {
    return result;
  }
  const said = { message: `Failure is waived until ${expires}: ${reason} (it counts again without the waiver)` };
  return { ...result, verdict: 'inconclusive', findings: [said, ...result.findings], waiver: { reason, expires } };
}

function problemOf({ clause, expires }: Waiver, verdict: ClauseResult['verdict'] | undefined, today: string): string[] {
  if (!isClause(clause) || verdict === undefined) {
    return [`Waiver names no clause: ${clause} (correct or remove it)`];
  }
  if (expires < today) {
    return [`Waiver has expired: ${clause} on ${expires} (remove it, or decide anew)`];
  }
  if (verdict === 'pass') {
    return [`Waiver is not needed: ${clause} passes (remove it)`];
  }
  if (verdict === 'observed') {
    return [`Waiver is not needed: ${clause} is a gap and cannot fail (remove it)`];
  }
  return [];
}

function noteOf({ clause, expires }: Waiver, verdict: ClauseResult['verdict'] | undefined, today: string): string[] {
  const undecided = verdict === 'skip' || verdict === 'inconclusive' || verdict === 'broken';
  return undecided && expires >= today ? [`Waiver was not needed this time, and stays: ${clause} is ${verdict}`] : [];
}
