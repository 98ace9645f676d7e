import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import { wrongAt } from '../common/json-place.ts';
import { clauses, isClause } from '../contract/clauses.ts';
import type { ClauseResult, Verdict } from './verdict.ts';

/** A known failure that the user accepts for a while (setting WAIVERS). */
export interface Waiver {
  readonly clause: string;
  readonly reason: string;
  /** The last day (UTC) on which it holds, as YYYY-MM-DD. */
  readonly expires: string;
}

/** The results of a run with waivers applied. */
interface Waived {
  readonly results: readonly ClauseResult[];
  /** One line for each waiver that no longer holds; each fails the run. */
  readonly problems: readonly string[];
  /** One line for each waiver whose clause was not decided this time. */
  readonly notes: readonly string[];
}

/** The JSON Schema of a waiver. */
export const waiverSchema = {
  type: 'object',
  // Other fields (an owner, a ticket) are allowed. A misspelt field is noticed because the required one is missing.
  required: ['clause', 'reason', 'expires'],
  properties: {
    clause: { type: 'string', pattern: '\\S' },
    reason: { type: 'string', pattern: '\\S' },
    expires: { type: 'string', format: 'date' },
  },
} as const;

/** Compiled only when there is a file to read, since most runs have none. */
const createValidator = (): ValidateFunction<Waiver> =>
  formats.default(new Ajv({ allErrors: true, validateSchema: false })).compile<Waiver>(waiverSchema);

const fieldForms: Readonly<Record<string, string>> = {
  clause: `a clause id such as "${clauses[0]?.id}"`,
  reason: 'a string that says why',
  expires: 'a date such as "2026-12-31"',
};

/**
 * The waivers in a file's JSON: a list, or a list in `waivers`. Throws an Error that names the entry and what it must
 * be.
 */
export function parseWaivers(json: unknown): readonly Waiver[] {
  const isInObject = typeof json === 'object' && json !== null && 'waivers' in json;
  const list = isInObject ? json.waivers : json;
  const inList = isInObject ? ['waivers'] : [];
  if (!Array.isArray(list)) {
    throw new Error('it must be an array of {"clause", "reason", "expires"}, or {"waivers": [that array]}');
  }
  const validate = createValidator();
  const seen = new Map<string, number>();
  return list.map((entry: unknown, index) => {
    const at = `entry ${index + 1}`;
    if (!validate(entry)) {
      const field = validate.errors?.[0]?.instancePath.slice(1) ?? '';
      const place = [...inList, index, ...(field === '' ? [] : [field])];
      throw wrongAt(place, `${at}: ${(validate.errors ?? []).map((error) => complaint(entry, error)).join('; ')}`);
    }
    const first = seen.get(entry.clause);
    if (first !== undefined) {
      throw wrongAt(
        [...inList, index, 'clause'],
        `${at}: clause ${JSON.stringify(entry.clause)} is already in entry ${first + 1}`,
      );
    }
    seen.set(entry.clause, index);
    return entry;
  });
}

function complaint(entry: unknown, error: ErrorObject): string {
  if (error.keyword === 'type' && error.instancePath === '') {
    return `got ${show(entry)}, must be an object with clause, reason and expires`;
  }
  const { missingProperty } = error.params as Record<string, string | undefined>;
  if (missingProperty !== undefined) {
    return `${missingProperty} is missing, must be ${fieldForms[missingProperty] ?? 'a string'}`;
  }
  const field = error.instancePath.slice(1);
  const value = (entry as Readonly<Record<string, unknown>>)[field];
  return `${field}: got ${show(value)}, must be ${fieldForms[field] ?? 'a string'}`;
}

const show = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 80);

/**
 * Applies waivers to the failures that they name, as of `now`. A waived failure keeps its findings and gets `waiver`.
 * Its verdict becomes `inconclusive`, since a run with a `fail` is always non-conformant, and its first finding says
 * why and until when it is waived.
 */
export function applyWaivers(results: readonly ClauseResult[], waivers: readonly Waiver[], now: Date): Waived {
  const today = now.toISOString().slice(0, 10);
  const byClause = new Map(waivers.map((waiver) => [waiver.clause, waiver]));
  const verdicts = new Map(results.map(({ id, verdict }) => [id as string, verdict]));
  return {
    results: results.map((result) => {
      const waiver = byClause.get(result.id);
      return waiver !== undefined && waiver.expires >= today ? waive(result, waiver) : result;
    }),
    problems: waivers.flatMap((waiver) => problemOf(waiver, verdicts.get(waiver.clause), today)),
    notes: waivers.flatMap((waiver) => noteOf(waiver, verdicts.get(waiver.clause), today)),
  };
}

function waive(result: ClauseResult, { reason, expires }: Waiver): ClauseResult {
  if (result.verdict !== 'fail' && result.verdict !== 'warn') {
    return result;
  }
  const notice = { message: `Failure is waived until ${expires}: ${reason}` };
  return { ...result, verdict: 'inconclusive', findings: [notice, ...result.findings], waiver: { reason, expires } };
}

function problemOf({ clause, expires }: Waiver, verdict: ClauseResult['verdict'] | undefined, today: string): string[] {
  if (!isClause(clause) || verdict === undefined) {
    return [`Waiver for an unknown clause: ${clause} (correct or remove it)`];
  }
  if (expires < today) {
    return [`Waiver has expired: ${clause} on ${expires} (remove or renew it)`];
  }
  if (verdict === 'pass') {
    return [`Waiver is unused: ${clause} passes (remove it)`];
  }
  if (verdict === 'observed') {
    return [`Waiver is unused: ${clause} is a gap and cannot fail (remove it)`];
  }
  return [];
}

const undecidedWords: Readonly<Partial<Record<Verdict, string>>> = {
  skip: 'skipped',
  inconclusive: 'inconclusive',
  broken: 'broken',
};

function noteOf({ clause, expires }: Waiver, verdict: ClauseResult['verdict'] | undefined, today: string): string[] {
  const word = verdict === undefined ? undefined : undecidedWords[verdict];
  return word !== undefined && expires >= today ? [`Waiver not needed in this run: ${clause} was ${word}`] : [];
}
