import { isObject, member } from '../common/json.ts';
import { wrongAt } from '../common/json-place.ts';
import { show } from '../common/schema.ts';
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

/** What each field must be. Others (an owner, a ticket) are allowed; a misspelt one is noticed as missing. */
const fields: Readonly<Record<keyof Waiver, readonly [form: string, holds: (text: string) => boolean]>> = {
  clause: [`a clause id such as "${clauses[0]?.id}"`, (text) => /\S/.test(text)],
  reason: ['a string that says why', (text) => /\S/.test(text)],
  expires: ['a date such as "2026-12-31"', isDay],
};

function isDay(text: string): boolean {
  const day = new Date(text);
  return !Number.isNaN(day.getTime()) && day.toISOString().slice(0, 10) === text;
}

/**
 * The waivers in a file's JSON: a list, or a list in `waivers`. Throws an Error that names the entry and what it must
 * be.
 */
export function parseWaivers(json: unknown): readonly Waiver[] {
  const list = isObject(json) && 'waivers' in json ? json.waivers : json;
  const inList = list === json ? [] : ['waivers'];
  if (!Array.isArray(list)) {
    throw new Error('it must be an array of {"clause", "reason", "expires"}, or {"waivers": [that array]}');
  }
  return list.map((entry: unknown, index) => {
    const at = `entry ${index + 1}`;
    if (!isObject(entry)) {
      const must = 'must be an object with clause, reason and expires';
      throw wrongAt([...inList, index], `${at}: got ${show(entry, 80)}, ${must}`);
    }
    for (const [name, [form, holds]] of Object.entries(fields)) {
      const value = entry[name];
      if (value === undefined) {
        throw wrongAt([...inList, index], `${at}: ${name} is missing, must be ${form}`);
      }
      if (typeof value !== 'string' || !holds(value)) {
        throw wrongAt([...inList, index, name], `${at}: ${name}: got ${show(value, 80)}, must be ${form}`);
      }
    }
    const first = list.findIndex((other) => member(other, 'clause') === entry.clause);
    if (first < index) {
      const why = `clause ${JSON.stringify(entry.clause)} is already in entry ${first + 1}`;
      throw wrongAt([...inList, index, 'clause'], `${at}: ${why}`);
    }
    return entry as unknown as Waiver;
  });
}

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

function problemOf({ clause, expires }: Waiver, verdict: Verdict | undefined, today: string): string[] {
  if (!isClause(clause) || verdict === undefined) {
    return [`Waiver for an unknown clause: ${clause} (correct or remove it)`];
  }
  if (expires < today) {
    return [`Waiver has expired: ${clause} on ${expires} (remove or renew it)`];
  }
  const unused = { pass: 'passes', observed: 'is a gap and cannot fail' }[verdict as string];
  return unused === undefined ? [] : [`Waiver is unused: ${clause} ${unused} (remove it)`];
}

function noteOf({ clause, expires }: Waiver, verdict: Verdict | undefined, today: string): string[] {
  const word = { skip: 'skipped', inconclusive: 'inconclusive', broken: 'broken' }[verdict as string];
  return word !== undefined && expires >= today ? [`Waiver not needed in this run: ${clause} was ${word}`] : [];
}
