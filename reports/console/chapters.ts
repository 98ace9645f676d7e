import { counted } from '../../common/words.ts';
import type { Api } from '../../contract/clause.ts';
import { apiOf } from '../../contract/clauses.ts';
import { type Run, wordOf } from '../../results/verdict.ts';
import { oneLine } from '../text.ts';
import { type Chapter, chaptersOf, inScope, marks, tally } from '../words.ts';
import { heading, type Look, paint, paintWord } from './look.ts';

/** The clauses of an API: a line a chapter, a mark for each clause; what was left out is not shown. */
export function chapterLines(run: Run, api: Api, look: Look): string[] {
  const clauses = inScope(run).filter(({ id }) => apiOf(id) === api);
  if (clauses.length === 0) {
    return [];
  }
  const url = oneLine(run.targets[api]?.url ?? '', 200);
  const rows = chaptersOf(clauses).map((chapter) => chapterRow(chapter, api, look));
  return [
    `${heading(look, `${api} API`)}  ${url}  ${paint(look, 'dim', counted(run.requests[api], 'request'))}`,
    ...inColumns(rows, look),
  ];
}

interface Row {
  readonly text: string;
  /** How many columns it takes: colours take none. */
  readonly width: number;
}

function chapterRow({ name, clauses }: Chapter, api: Api, look: Look): Row {
  const line = clauses.map((clause) => paintWord(look, wordOf(clause), marks[wordOf(clause)])).join('');
  const counts = tally(clauses).filter(([word]) => word !== 'pass' && word !== 'observed');
  const said = counts.map(([word, many]) => paintWord(look, word, `${many} ${word}`)).join(', ');
  const plain = counts.map(([word, many]) => `${many} ${word}`).join(', ');
  const title = name.slice(api.length + 1).padEnd(12);
  return {
    text: `${title}${line}${said === '' ? '' : `  ${said}`}`,
    width: title.length + clauses.length + (plain === '' ? 0 : 2 + plain.length),
  };
}

/** Two columns, read downwards, where they fit. */
function inColumns(rows: readonly Row[], look: Look): string[] {
  const half = Math.ceil(rows.length / 2);
  const left = Math.max(...rows.slice(0, half).map(({ width }) => width)) + 4;
  const right = Math.max(0, ...rows.slice(half).map(({ width }) => width));
  if (2 + left + right > look.width) {
    return rows.map(({ text }) => `  ${text}`);
  }
  return rows.slice(0, half).map(({ text, width }, index) => {
    const other = rows[half + index];
    return other === undefined ? `  ${text}` : `  ${text}${' '.repeat(left - width)}${other.text}`;
  });
}
