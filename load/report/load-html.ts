import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { thousands } from '../../common/words.ts';
import { documentText, pageStyle, textBeside } from '../../reports/html/document.ts';
import { contrastMarkup, scriptMarkup } from '../../reports/html/finding.ts';
import { type Markup, markup, trusted } from '../../reports/html/markup.ts';
import { duration } from '../../reports/text.ts';
import { headline, tone } from '../../reports/words.ts';
import type { ClauseResult } from '../../results/verdict.ts';
import { chartData } from './chart-data.ts';
import { sentencesOf } from './load-console.ts';
import { type LoadRun, traceCounts } from './load-run.ts';
import { worstMinute } from './worst-minute.ts';

const uplotFolder = dirname(createRequire(import.meta.url).resolve('uplot'));
const uplot = (file: string): string => readFileSync(join(uplotFolder, file), 'utf8');

const styles = [pageStyle, uplot('uPlot.min.css'), textBeside(import.meta.url, 'load.css')];
const scripts = [uplot('uPlot.iife.min.js'), textBeside(import.meta.url, 'chart.js')];

/** What was observed, key by key: a sentence if there is one, or else JSON. */
const observedMarkup = (observed: unknown): Markup[] =>
  Object.entries(typeof observed === 'object' && observed !== null ? observed : {}).map(
    ([key, seen]: [string, unknown]) =>
      markup`<p class="seen"><code>${key}</code> ${typeof seen === 'object' && seen !== null && 'says' in seen ? String(seen.says) : JSON.stringify(seen)}</p>`,
  );

const clauseMarkup = ({
  id,
  verdict,
  title,
  source,
  findings,
  observed,
}: ClauseResult): Markup => markup`<tr class="${verdict}">
<td><strong class="tone">${verdict}</strong></td><td><code>${id}</code><br>${title} <small>(${source})</small>
${findings.slice(0, 20).map((finding) => markup`<p class="message">${finding.message}</p>${contrastMarkup(finding)}${finding.curl === undefined ? null : scriptMarkup(finding.curl)}`)}${verdict === 'observed' ? observedMarkup(observed) : null}</td></tr>`;

const keyMarkup = (run: LoadRun, key: string): Markup => {
  const counts = traceCounts(run.samples.get(key) ?? []);
  return markup`<section class="key"><h3>${key}</h3>
<p>${Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${thousands(count)} ${name}`)
    .join(', ')}${worstText(run, key)}</p>
<ul>${sentencesOf(run.keys[key]).map((text) => markup`<li>${text}</li>`)}</ul>
<figure data-key="${key}"></figure>
<details><summary>What the judge says</summary><pre>${JSON.stringify(run.keys[key] ?? null, null, 2)}</pre></details></section>`;
};

/** The busiest rolling minute. With fixed windows it may have more calls than the limit. */
const worstText = (run: LoadRun, key: string): string => {
  const worst = worstMinute(run.samples.get(key) ?? [], run.clockSpeed);
  return worst === null
    ? ''
    : `; most admitted in a rolling minute: ${thousands(worst.admitted)}, from ${duration(worst.from)} on (two windows may meet in it)`;
};

const bodyMarkup = (
  run: LoadRun,
): Markup => markup`<header class="verdict ${tone(run)}"><p class="eyebrow">${run.suite.name} ${run.suite.version} · load ${run.script}: ${run.question}</p>
<h1>${headline(run)}</h1><p>${run.reason}</p>
<p class="eyebrow">${Object.values(run.targets)
  .map((target) => target.url)
  .join(
    ' and ',
  )} · ${run.startedAt} · ${duration(run.durationMs)}${run.clockSpeed === 1 ? '' : ` · clock ${run.clockSpeed} times as fast`}${run.k6 === null ? '' : ` · k6 ${run.k6}`}${run.instances > 1 ? ` · ${run.instances} instances` : ''}${run.partial ? ' · cut off: a partial trace' : ''}</p></header>
<main class="load">
<section><h2>Clauses</h2><table><thead class="unseen"><tr><th scope="col">verdict</th><th scope="col">clause</th></tr></thead><tbody>${run.clauses.map(clauseMarkup)}</tbody></table></section>
<section><h2>Keys</h2>${[...run.samples.keys()].map((key) => keyMarkup(run, key))}</section>
${run.notes.length === 0 ? null : markup`<section><h2>Notes</h2><ul>${run.notes.map((note) => markup`<li>${note}</li>`)}</ul></section>`}
</main>`;

/**
 * A value as JSON within a script element. Every `<` is escaped, so that `</script>` in a label cannot end the element.
 */
const json = (value: unknown): Markup => trusted(JSON.stringify(value).replaceAll('<', String.raw`\u003c`));

/** load-NAME.html: a self-contained page with charts. The verdicts can be read without scripts. */
export function loadHtml(run: LoadRun): string {
  const charts = [...run.samples].map(([key, samples]) => chartData(key, samples));
  return documentText({
    title: `${headline(run)} · load ${run.script}`,
    conformant: run.conformant,
    exitCode: run.exitCode,
    styles,
    scripts,
    styleAttributes: true,
    body: markup`${bodyMarkup(run)}
<script id="chart-data" type="application/json">${json(charts)}</script>`,
  });
}
