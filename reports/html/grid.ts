import type { Api } from '../../contract/clause.ts';
import { apiOf } from '../../contract/clauses.ts';
import { type ClauseResult, type Run, wordOf } from '../../results/verdict.ts';
import { type Chapter, chaptersOf, marks } from '../words.ts';
import { type Markup, markup } from './markup.ts';

/** Every clause as a mark that leads to it, chapter by chapter: the run at a glance. */
export const gridMarkup = (run: Run): Markup =>
  markup`<section class="grid" id="overview" aria-labelledby="overview-title">
<h2 id="overview-title">At a glance <span class="of">${run.clauses.length} clauses</span></h2>
<div class="grids">${(['developer', 'workspace'] as const).map((api) => apiGrid(run, api))}</div></section>`;

function apiGrid(run: Run, api: Api): Markup {
  const chapters = chaptersOf(run.clauses.filter(({ id }) => apiOf(id) === api));
  return markup`<table><caption>${api} API</caption><tbody>${chapters.map(rowMarkup)}</tbody></table>`;
}

const rowMarkup = ({ name, clauses }: Chapter): Markup =>
  markup`<tr><th scope="row"><a href="#${name}">${name.split('.')[1] ?? name}</a></th><td>${clauses.map(cellMarkup)}</td></tr>`;

function cellMarkup(clause: ClauseResult): Markup {
  const { id, title, outside } = clause;
  const word = wordOf(clause);
  return markup`<a class="cell ${word} ${outside === undefined ? '' : 'outside'}" href="#${id}" title="${id}: ${word}&#10;${title}">
<span aria-hidden="true">${marks[word]}</span><span class="unseen">${id} ${word}</span></a>`;
}
