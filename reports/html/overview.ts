import type { Api } from '../../contract/clause.ts';
import { type ClauseResult, type Run, totalsOf, type Verdict } from '../../results/verdict.ts';
import { counted, duration, oneLine } from '../text.ts';
import { type Chapter, headline, isStrict, meaning, readingOrder, tally } from '../words.ts';
import { badge } from './clause.ts';
import { type Markup, markup, when } from './markup.ts';

/** The top of the page: verdict, reason, what was checked, and links to what failed. */
export function overviewMarkup(run: Run): Markup {
  const tone = run.conformant === null ? 'broken' : run.conformant ? 'pass' : 'fail';
  return markup`<header class="verdict ${tone}">
<p class="eyebrow">Conformance report · ${run.suite.name} ${run.suite.version}</p>
<h1>${headline(run)}</h1>
<p class="reason">${oneLine(run.reason, 1_000)}</p>
<dl class="facts">${targetFacts(run)}
<div><dt>Started</dt><dd><time datetime="${run.startedAt}">${moment(run.startedAt)}</time></dd></div>
<div><dt>Took</dt><dd>${duration(run.durationMs)}</dd></div>
<div><dt>Seed</dt><dd><code>${run.seed}</code></dd></div>
<div><dt>Exit status</dt><dd>${run.exitCode}</dd></div></dl>
${failuresMarkup(run)}
</header>`;
}

const moment = (iso: string): string => iso.replace('T', ' ').replace(/\.\d+Z$/, ' UTC');

const targetFacts = (run: Run): Markup[] =>
  (Object.keys(run.targets) as Api[]).map(
    (api) =>
      markup`<div class="target"><dt>${api} API</dt><dd><code>${oneLine(run.targets[api]?.url ?? '', 300)}</code><br>
${counted(run.requests[api], 'request')}</dd></div>`,
  );

/** Links to what made the run fail, so that a reader need not look for it. */
function failuresMarkup(run: Run): Markup | null {
  const wanted: readonly Verdict[] = isStrict(run) ? ['fail', 'warn', 'broken'] : ['fail', 'broken'];
  const failed = run.clauses.filter(({ verdict }) => wanted.includes(verdict));
  const links = failed
    .slice(0, 20)
    .map(({ id, title, verdict }) => markup`<li>${badge(verdict)} <a href="#${id}">${title}</a></li>`);
  const left = failed.length - links.length;
  return when(
    failed.length > 0,
    () => markup`<nav class="failures" aria-label="What failed"><ul>${links}</ul>
${when(left > 0, () => markup`<p>… and ${counted(left, 'clause')} more below</p>`)}</nav>`,
  );
}

/** The totals, which are the filter too: each is a checkbox that shows or hides the clauses of its verdict, in CSS. */
export function totalsMarkup({ clauses }: Run): Markup {
  const totals = totalsOf(clauses);
  const tiles = readingOrder.map(
    (
      verdict,
    ) => markup`<label class="tile ${verdict} ${totals[verdict] === 0 ? 'none' : 'some'}" title="${meaning[verdict]}">
<input type="checkbox" id="show-${verdict}" checked><span class="number">${totals[verdict]}</span>
<span class="word">${verdict}</span></label>`,
  );
  return markup`<section class="totals" aria-labelledby="totals-title">
<h2 id="totals-title">Totals <span class="of">of ${counted(clauses.length, 'clause')}</span></h2>
${barMarkup(clauses)}
<fieldset><legend>Show clauses by verdict</legend>${tiles}</fieldset>
<div class="tools" hidden>
<label class="search">Search <input type="search" id="search" placeholder="id or words of a clause"></label>
<button type="button" id="problems">Only problems</button> <button type="button" id="all">Everything</button>
<button type="button" id="expand" aria-pressed="false">Open all</button>
<output id="shown" for="search"></output></div>
</section>`;
}

/** How the verdicts divide the clauses, as one bar. The tiles say the same in words. */
function barMarkup(clauses: readonly ClauseResult[]): Markup {
  let x = 0;
  const parts = tally(clauses).map(([verdict, many]) => {
    const part = markup`<rect class="${verdict}" x="${x}" y="0" width="${many}" height="1"></rect>`;
    x += many;
    return part;
  });
  return markup`<svg class="bar" viewBox="0 0 ${Math.max(1, x)} 1" preserveAspectRatio="none" aria-hidden="true">
${parts}</svg>`;
}

/** The chapters as a table of contents, each with what is wrong in it. */
export function contentsMarkup(chapters: readonly Chapter[]): Markup {
  const link = ({ name, clauses }: Chapter): Markup => {
    const marks = tally(clauses)
      .filter(([verdict]) => ['fail', 'broken', 'warn', 'inconclusive'].includes(verdict))
      .map(
        ([verdict, many]) =>
          markup`<span class="count ${verdict}" title="${many} ${verdict}">${many}
<span class="unseen">${verdict}</span></span>`,
      );
    return markup`<li><a href="#${name}">${name.split('.')[1] ?? name}</a> ${marks}</li>`;
  };
  const part = (api: Api): Markup =>
    markup`<li><a class="api" href="#${api}">${api} API</a>
<ul>${chapters.filter(({ name }) => name.startsWith(api)).map(link)}</ul></li>`;
  return markup`<nav class="contents" aria-label="Chapters"><ul>${(['developer', 'workspace'] as const).map(part)}
<li><a class="api" href="#run">About the run</a></li></ul></nav>`;
}
