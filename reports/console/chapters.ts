import { counted } from '../../common/words.ts';
import type { ApiName } from '../../contract/clause.ts';
import { apiOf } from '../../contract/clauses.ts';
import { type Run, wordOf } from '../../results/verdict.ts';
import { oneLine } from '../text.ts';
import { type Chapter, chaptersOf, inScope, marks, tally } from '../words.ts';
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
    ...inColumns(rows, layout),
  ];
}

interface Row {
  readonly text: string;
  /** The columns that the text takes; the codes of colours take none. */
  readonly width: number;
}

function chapterRow({ name, clauses }: Chapter, api: ApiName, layout: Layout): Row {
  const line = clauses.map((clause) => paintWord(layout, wordOf(clause), marks[wordOf(clause)])).join('');
  const counts = tally(clauses).filter(([word]) => word !== 'pass' && word !== 'observed');
  const coloured = counts.map(([word, many]) => paintWord(layout, word, `${many} ${word}`)).join(', ');
  const plain = counts.map(([word, many]) => `${many} ${word}`).join(', ');
  const title = name.slice(api.length + 1).padEnd(12);
  return {
    text: `${title}${line}${coloured === '' ? '' : `  ${coloured}`}`,
    width: title.length + clauses.length + (plain === '' ? 0 : 2 + plain.length),
  };
}

/** The rows in two columns, read downwards, if the console is wide enough. */
function inColumns(rows: readonly Row[], layout: Layout): string[] {
  const half = Math.ceil(rows.length / 2);
  const left = Math.max(...rows.slice(0, half).map(({ width }) => width)) + 4;
  const right = Math.max(0, ...rows.slice(half).map(({ width }) => width));
  if (2 + left + right > layout.width) {
    return rows.map(({ text }) => `  ${text}`);
  }
  return rows.slice(0, half).map(({ text, width }, index) => {
    const other = rows[half + index];
    return other === undefined ? `  ${text}` : `  ${text}${' '.repeat(left - width)}${other.text}`;
  });
}
