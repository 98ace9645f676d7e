import { counted } from '../../common/words.ts';
import type { ApiName } from '../../contract/clause.ts';
import { apiOf } from '../../contract/clauses.ts';
import type { ClauseResult, Run } from '../../results/verdict.ts';
import { oneLine } from '../text.ts';
import { foldedMarkup, type Markup, markup } from './markup.ts';

/** The clauses of an API that the run was not to judge. */
const outsideOf = ({ clauses }: Run, api: ApiName): readonly ClauseResult[] =>
  clauses.filter(({ id, outside }) => apiOf(id) === api && outside !== undefined);

/**
 * The clauses of an API that the run was not to judge, as a line that opens to their titles; null if there are none.
 */
export function outsideMarkup(run: Run, api: ApiName): Markup | null {
  const own = outsideOf(run, api);
  const [first] = own;
  if (first === undefined) {
    return null;
  }
  const rows = own.map(({ id, title }) => markup`<li id="${id}"><code>${id}</code> ${title}</li>`);
  const why = oneLine(first.findings[0]?.message ?? 'left out', 300);
  return foldedMarkup(`${api}-outside`, `${counted(own.length, 'clause')} not judged`, why, markup`<ul>${rows}</ul>`);
}
