import { firstNumber } from '../../limits/judge/headers.ts';
import { isLetThrough, type Sample } from '../../limits/judge/trace.ts';
import { documentText, pageStyle, textBeside } from '../../reports/html/document.ts';
import { contrastMarkup, scriptMarkup } from '../../reports/html/finding.ts';
import { type Markup, markup } from '../../reports/html/markup.ts';
import { type ChartCall, traceChart } from '../../reports/html/trace-chart.ts';
import { duration } from '../../reports/text.ts';
import { headline, tone } from '../../reports/words.ts';
import type { ClauseResult } from '../../results/verdict.ts';
import { scripts } from '../seam/plan.ts';
import { countsText, type LoadRun } from './load-run.ts';

const styles = [pageStyle, textBeside(import.meta.url, 'load.css')];

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
  const samples = run.samples.get(key) ?? [];
  const { says = [], detail = null } = run.judged.get(key) ?? {};
  return markup`<section class="key"><h3>${key}</h3>
<p>${countsText(samples)}</p>
<ul>${says.map((text) => markup`<li>${text}</li>`)}</ul>
${traceChart(key, samples.flatMap(chartCall), run.plan.windowMs)}
<details><summary>What the judge says</summary><pre>${JSON.stringify(detail, null, 2)}</pre></details></section>`;
};

const chartCall = (sample: Sample): ChartCall[] =>
  sample.status === 429 || isLetThrough(sample)
    ? [
        {
          sentAt: sample.sentAt,
          refused: sample.status === 429,
          limit: firstNumber(sample.limit),
          remaining: firstNumber(sample.remaining),
        },
      ]
    : [];

const bodyMarkup = (
  run: LoadRun,
): Markup => markup`<header class="verdict ${tone(run)}"><p class="eyebrow">${run.suite.name} ${run.suite.version} · load ${run.plan.script}: ${scripts[run.plan.script]}</p>
<h1>${headline(run)}</h1><p>${run.reason}</p>
<p class="eyebrow">${Object.values(run.targets)
  .map((target) => target.url)
  .join(
    ' and ',
  )} · ${run.startedAt} · ${duration(run.durationMs)}${run.plan.clockSpeed === 1 ? '' : ` · clock ${run.plan.clockSpeed} times as fast`} · k6 ${run.k6}${run.partial ? ' · cut off: a partial trace' : ''}</p></header>
<main class="load">
<section><h2>Clauses</h2><table><thead class="unseen"><tr><th scope="col">verdict</th><th scope="col">clause</th></tr></thead><tbody>${run.clauses.map(clauseMarkup)}</tbody></table></section>
<section><h2>Keys</h2>${[...run.samples.keys()].map((key) => keyMarkup(run, key))}</section>
${run.notes.length === 0 ? null : markup`<section><h2>Notes</h2><ul>${run.notes.map((note) => markup`<li>${note}</li>`)}</ul></section>`}
</main>`;

/** load-NAME.html: a self-contained page with charts, without scripts. */
export const loadHtml = (run: LoadRun): string =>
  documentText({
    title: `${headline(run)} · load ${run.plan.script}`,
    conformant: run.conformant,
    exitCode: run.exitCode,
    styles,
    scripts: [],
    body: bodyMarkup(run),
  });
