import { clauseOf } from '../../contract/clauses.ts';
import { resultOf } from '../../results/clause-result.ts';
import type { ClauseResult, Finding } from '../../results/verdict.ts';
import type { Subject } from '../seam/plan.ts';

/** What one key's trace shows about one clause. `says` becomes the finding, unless the clause passes. */
export interface Part {
  readonly subject: Subject;
  readonly verdict: 'holds' | 'fails' | 'undecided' | 'observed';
  readonly says: string;
  readonly finding?: Omit<Finding, 'message'>;
  readonly observed?: unknown;
}

/** A shell line that makes the call again, with the name of a variable in place of the key. */
function curlOf({ api, url, label }: Subject): string {
  const name = label
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase()
    .replace(/_$/, '');
  const variable = `\${${name}:?}`;
  const header = api === 'developer' ? `X-API-Key: ${variable}` : `Authorization: Bearer ${variable}`;
  return `curl -i ${/^[\w@%+=:,./-]+$/.test(url) ? url : `'${url}'`} -H "${header}"`;
}

const findingOf = ({ subject, says, finding }: Part): Finding => ({
  message: `${subject.label}: ${says}`,
  ...finding,
  request: { method: 'GET', url: subject.url },
  curl: curlOf(subject),
});

/** The result of a clause over all keys of an API, the worst of which decides; null if none of them shows anything. */
export function combine(id: string, parts: readonly Part[]): ClauseResult | null {
  if (parts.length === 0) {
    return null;
  }
  const { level } = clauseOf(id);
  const of = (verdict: Part['verdict']): Part[] => parts.filter((part) => part.verdict === verdict);
  const observed = Object.fromEntries(
    parts.filter((part) => part.observed !== undefined).map((part) => [part.subject.label, part.observed]),
  );
  const seen = Object.keys(observed).length > 0 ? observed : null;
  if (level === 'gap') {
    return seen === null
      ? resultOf(id, 'inconclusive', of('undecided').map(findingOf))
      : resultOf(id, 'observed', [], seen);
  }
  const [failed, open] = [of('fails'), of('undecided')];
  if (failed.length > 0) {
    return resultOf(id, level === 'must' ? 'fail' : 'warn', failed.map(findingOf), seen);
  }
  if (open.length > 0) {
    return resultOf(id, 'inconclusive', open.map(findingOf), seen);
  }
  return of('holds').length > 0 ? resultOf(id, 'pass', [], seen) : null;
}
