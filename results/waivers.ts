import { checkedJson, WrongAt } from '../common/json-file.ts';
import { isClause } from '../contract/clauses.ts';
import type { ClauseResult, Verdict } from './verdict.ts';
import schema from './waivers.schema.json' with { type: 'json' };

/** A known failure that the user accepts for a while (setting WAIVERS). */
export interface Waiver {
  readonly clause: string;
  readonly reason: string;
  /** The last day (UTC) on which it holds, as YYYY-MM-DD. */
  readonly expires: string;
}

/** The waivers in a file's JSON: a list, or a list in `waivers`. Throws WrongAt. */
export function parseWaivers(json: unknown): readonly Waiver[] {
  const file = checkedJson<readonly Waiver[] | { readonly waivers: readonly Waiver[] }>(schema, json);
  const [list, place] = 'waivers' in file ? [file.waivers, ['waivers']] : [file, []];
  const again = list.findIndex(({ clause }, index) => list.findIndex((one) => one.clause === clause) < index);
  if (again >= 0) {
    const why = `clause ${JSON.stringify(list[again]?.clause)} is already in another entry`;
    throw new WrongAt([...place, again, 'clause'], why);
  }
  return list;
}

/**
 * Applies waivers to the failures that they name, as of `now`. A waived failure keeps its findings and gets `waiver`.
 * Its verdict becomes `inconclusive`, since a run with a `fail` is always non-conformant, and its first finding says
 * why and until when it is waived.
 */
export function applyWaivers(results: readonly ClauseResult[], waivers: readonly Waiver[], now: Date) {
  const today = now.toISOString().slice(0, 10);
  const byClause = new Map(waivers.map((waiver) => [waiver.clause, waiver]));
  const verdicts = new Map(results.map(({ id, verdict }) => [id as string, verdict]));
  return {
    results: results.map((result) => {
      const waiver = byClause.get(result.id);
      return waiver !== undefined && waiver.expires >= today ? waive(result, waiver) : result;
    }),
    /** One line for each waiver that no longer holds; each fails the run. */
    problems: waivers.flatMap((waiver) => problemOf(waiver, verdicts.get(waiver.clause), today)),
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
