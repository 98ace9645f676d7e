import { firstNumber } from '../../limits/judge/headers.ts';
import { isLetThrough, type Sample } from '../../limits/judge/trace.ts';
import { type Markup, markup } from '../../reports/html/markup.ts';
import { htmlReport } from '../../reports/html/page.ts';
import { type ChartCall, traceChart } from '../../reports/html/trace-chart.ts';
import { scripts } from '../seam/plan.ts';
import { countsText, type LoadRun } from './load-run.ts';

/** load-NAME.html: the page of a run, with a chart for each key. */
export const loadHtml = (run: LoadRun): string =>
  htmlReport(
    run,
    markup`<section class="traffic" id="keys" aria-labelledby="keys-title"><h2 id="keys-title">Load ${run.plan.script}</h2>
<p>${scripts[run.plan.script]}; by k6 ${run.k6}${run.partial ? '; cut off: a partial trace' : ''}</p>
${[...run.samples.keys()].map((key) => keyMarkup(run, key))}</section>`,
  );

function keyMarkup({ samples, judged, plan }: LoadRun, key: string): Markup {
  const own = samples.get(key) ?? [];
  const { says = [], detail = null } = judged.get(key) ?? {};
  return markup`<h3>${key}</h3>
<p>${countsText(own)}</p>
<ul>${says.map((text) => markup`<li>${text}</li>`)}</ul>
${traceChart(key, own.flatMap(chartCall), plan.windowMs)}
<details><summary>What the judge says</summary><pre>${JSON.stringify(detail, null, 2)}</pre></details>`;
}

/** A call as charts show it; none where it got no answer, or draws on another budget: it had no valid key. */
function chartCall(sample: Sample): ChartCall[] {
  const { sentAt, status, limit, remaining, phase } = sample;
  const call = { sentAt, refused: status === 429, limit: firstNumber(limit), remaining: firstNumber(remaining) };
  return phase !== 'intruder' && (call.refused || isLetThrough(sample)) ? [call] : [];
}
