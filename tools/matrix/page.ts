import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiName } from '../../contract/clause.ts';
import { faults } from '../../fixtures/reference/deployment.ts';
import { type Markup, markup, trusted } from '../../reports/html/markup.ts';
import type { FaultRow } from '../../selftest/proof/fault-row.ts';
import { type ClauseRow, clauseRows } from '../../selftest/proof/matrix.ts';
import type { Proven } from '../../selftest/proof/prove.ts';
import { figureLines } from './figures.ts';

const asset = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8');

const short = (id: string): string => id.replace(/^(developer|workspace)\./, '');

/**
 * The mark of a cell: fails as required, fails as allowed, undecided; wrongly failed or wrongly passed. Null if the
 * clause passes.
 */
function markOf(row: FaultRow, clause: string): { kind: string; word: string } | null {
  if (row.extra.includes(clause)) {
    return { kind: 'x', word: 'fails, although the fault does not break it' };
  }
  if (row.missed.includes(clause)) {
    return { kind: 'm', word: 'passes, although the fault breaks it' };
  }
  if (row.fails.includes(clause)) {
    return { kind: 'r', word: 'fails, as it must' };
  }
  if (row.also.includes(clause)) {
    return { kind: 'a', word: 'also fails, as it may' };
  }
  return row.open.includes(clause)
    ? { kind: 'o', word: 'cannot be decided with this fault, and says which clause is the reason' }
    : null;
}

function cell(row: FaultRow, clause: ClauseRow): Markup {
  const mark = markOf(row, clause.id);
  if (mark === null) {
    return markup`<td>`;
  }
  // Undecided cells are no tab stops: there are hundreds of them, and readers look for the others.
  const stop = mark.kind === 'o' ? markup`` : markup` tabindex=0`;
  return markup`<td class=${mark.kind}${stop} aria-label="${row.id}: ${short(clause.id)} ${mark.word}">`;
}

function chaptersOf(clauses: readonly ClauseRow[]): { name: string; size: number }[] {
  const chapters: { name: string; size: number }[] = [];
  for (const { id } of clauses) {
    const name = id.split('.')[1] ?? '';
    const last = chapters.at(-1);
    if (last?.name === name) {
      last.size += 1;
    } else {
      chapters.push({ name, size: 1 });
    }
  }
  return chapters;
}

function grid({ faults: rows }: Proven, api: ApiName): Markup {
  const clauses = clauseRows().filter(({ id }) => id.startsWith(`${api}.`));
  const own = rows.filter((row) => row.api === api);
  const starts = new Set(
    clauses.filter(({ id }, i) => clauses[i - 1]?.id.split('.')[1] !== id.split('.')[1]).map(({ id }) => id),
  );
  const head = clauses.map(
    ({ id, level, title, failedBy }) =>
      markup`<th scope=col class="${level}${starts.has(id) ? ' first' : ''}" data-id="${id}" data-says="${title}"><span>${short(id).replace(/^[^.]*\./, '')}</span><b>${failedBy.length}</b>`,
  );
  const columns = clauses.map(({ id }) => markup`<col${starts.has(id) ? markup` class=first` : markup``}>`);
  const lines = own.map((row) => {
    const { defect = '' } = faults.find(({ id }) => id === row.id) ?? {};
    const cells = clauses.map((clause) => cell(row, clause));
    return markup`<tr><th scope=row data-id="${row.id}" data-says="${defect}">${row.id.replace(/^workspace-/, '')}${cells}`;
  });
  return markup`<section id=${api}><h2>${api === 'developer' ? 'Developer' : 'Workspace'} API: ${own.length} faults, ${clauses.length} clauses</h2>
<div class=scroll tabindex=0 role=region aria-label="Faults of the ${api} API against its clauses"><table><colgroup><col>${columns}</colgroup>
<thead><tr><td class=corner rowspan=2>fault ↓ clause →${chaptersOf(clauses).map(({ name, size }) => markup`<th scope=colgroup colspan=${size} class="chapter first">${name}`)}
<tr>${head}
<tbody>
${lines}
</table></div></section>`;
}

/** The matrix as one self-contained page: figures, then a grid for each API. */
export function matrixPage(proven: Proven): string {
  return `${markup`<!doctype html>
<html lang=en><meta charset=utf-8><meta name=viewport content="width=device-width, initial-scale=1">
<title>Faults against clauses</title>
<style>
${trusted(asset('page.css'))}</style>
<header><h1>Every check is proven able to fail</h1>
<p>Each row is a deployment with one defect, each column a clause that a document states. <code>npm run matrix</code> makes this page.</p>
<ul class=figures>
${figureLines().map((line) => markup`<li>${line}`)}
</ul>
<p class=legend><i class=r></i>fails, as it must <i class=a></i>also fails, as it may <i class=o></i>cannot be decided <i class=m></i>wrongly passes <i class=x></i>wrongly fails
<nav><a href="#developer">Developer API</a> <a href="#workspace">Workspace API</a> <label>Find <input id=find type=search placeholder="fault or clause"></label></nav></header>
<main>${grid(proven, 'developer')}
${grid(proven, 'workspace')}</main>
<aside id=detail aria-live=polite hidden></aside>
<script>
${trusted(asset('page.js'))}</script>
</html>`.toString()}\n`;
}
