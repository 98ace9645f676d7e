import { counted } from '../../common/words.ts';
import type { ApiName } from '../../contract/clause.ts';
import { apiOf } from '../../contract/clauses.ts';
import { type ClauseResult, type Run, wordOf } from '../../results/verdict.ts';
import { type Chapter, inScope, looks, tally } from '../words.ts';
import { type Markup, markup, when } from './markup.ts';

/**
 * The filter: a checkbox for each verdict, which works without scripts, and a search over all text, which needs them.
 */
export function filterMarkup(run: Run): Markup {
  const chips = tally(inScope(run)).map(
    ([word, many]) => markup`<label class="chip ${word}" title="${looks[word].meaning}">
<input type="checkbox" id="show-${word}" checked><span class="mark" aria-hidden="true">${looks[word].mark}</span>
<span class="number">${many}</span> ${word}</label>`,
  );
  return markup`<section class="filter" aria-label="Filter">
<fieldset><legend class="unseen">Show clauses by verdict</legend>${chips}</fieldset>
<div class="tools" hidden>
<label class="search"><span class="unseen">Search all text</span>
<input type="search" id="search" placeholder="Search all text" autocomplete="off" spellcheck="false"></label>
<button type="button" id="expand" aria-pressed="false">Open all</button>
<output id="shown" for="search"></output></div>
</section>`;
}

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
