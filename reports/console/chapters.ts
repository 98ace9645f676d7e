import { counted } from '../../common/words.ts';
import type { ApiName } from '../../contract/clause.ts';
import { apiOf } from '../../contract/clauses.ts';
import { type Run, wordOf } from '../../results/verdict.ts';
import { oneLine } from '../text.ts';
import { type Chapter, chaptersOf, inScope, looks, tally } from '../words.ts';
import { heading, type Layout, paint, paintWord } from './layout.ts';

/** The clauses of an API that were to be judged: a line for each chapter, with a mark for each clause. */
export function chapterLines(run: Run, api: ApiName, layout: Layout): string[] {
  const clauses = inScope(run).filter(({ id }) => apiOf(id) === api);
  if (clauses.length === 0) {
    return [];
  }
  const url = oneLine(run.targets[api]?.url ?? '', 200);
  const rows = chaptersOf(clauses).map((chapter) => chapterRow(chapter, api, layout));
  return [
    `${heading(layout, `${api} API`)}  ${url}  ${paint(layout, 'dim', counted(run.requests[api], 'request'))}`,
    ...rows.map((row) => `  ${row}`),
  ];
}

function chapterRow({ name, clauses }: Chapter, api: ApiName, layout: Layout): string {
  const line = clauses.map((clause) => paintWord(layout, wordOf(clause), looks[wordOf(clause)].mark)).join('');
  const counts = tally(clauses).filter(([word]) => word !== 'pass' && word !== 'observed');
  const shown = counts.map(([word, many]) => paintWord(layout, word, `${many} ${word}`)).join(', ');
  return `${name.slice(api.length + 1).padEnd(12)}${line}${shown === '' ? '' : `  ${shown}`}`;
}
