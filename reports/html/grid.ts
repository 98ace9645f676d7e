import { counted } from '../../common/words.ts';
import type { ApiName } from '../../contract/clause.ts';
import { apiOf } from '../../contract/clauses.ts';
import { type ClauseResult, wordOf } from '../../results/verdict.ts';
import { type Chapter, looks } from '../words.ts';
import { type Markup, markup, when } from './markup.ts';

/** The run at a glance: a mark for each clause that was to be judged, which links to it, chapter by chapter. */
export const gridMarkup = (chapters: readonly Chapter[]): Markup =>
  markup`<section class="grid" id="overview" aria-labelledby="overview-title">
<h2 id="overview-title">At a glance <span class="of">${counted(chapters.flatMap(({ clauses }) => clauses).length, 'clause')}</span></h2>
<div class="grids">${(['developer', 'workspace'] as const).map((api) => apiGrid(chapters, api))}</div></section>`;

function apiGrid(chapters: readonly Chapter[], api: ApiName): Markup | null {
  const own = chapters.filter(({ name }) => apiOf(name) === api);
  return when(
    own.length > 0,
    () => markup`<table><caption>${api} API</caption><tbody>${own.map(rowMarkup)}</tbody></table>`,
  );
}

const rowMarkup = ({ name, clauses }: Chapter): Markup =>
  markup`<tr><th scope="row"><a href="#${name}">${name.split('.')[1] ?? name}</a></th><td>${clauses.map(cellMarkup)}</td></tr>`;

function cellMarkup(clause: ClauseResult): Markup {
  const { id, title } = clause;
  const word = wordOf(clause);
  return markup`<a class="cell ${word}" href="#${id}" title="${id}: ${word}&#10;${title}">
<span aria-hidden="true">${looks[word].mark}</span><span class="unseen">${id} ${word}</span></a>`;
}
