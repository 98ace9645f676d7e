import { firstNumber } from '../../limits/judge/headers.ts';
import { isLetThrough, type Sample } from '../../limits/judge/trace.ts';
import { consoleReport } from '../../reports/console/console.ts';
import { type Markup, markup } from '../../reports/html/markup.ts';
import { htmlReport } from '../../reports/html/page.ts';
import { type ChartCall, traceChart } from '../../reports/html/trace-chart.ts';
import { inert, oneLine } from '../../reports/text.ts';
import { fullReason } from '../../reports/words.ts';
import { writeTogether } from '../../reports/write-files.ts';
import { scripts } from '../seam/plan.ts';
import { countsText, type LoadRun, traceCounts } from './load-run.ts';

/** The console report: what k6 did with each key, then the report of the run as of any other. */
export function loadConsole(run: LoadRun, page: string): string {
  const { script } = run.plan;
  const lines = [
    `load ${script}: ${scripts[script]}`,
    ...[...run.judged].flatMap(([key, { says }]) => says.map((text) => `  ${key}: ${oneLine(text, 300)}`)),
    `  ${countsText([...run.samples.values()].flat()) || 'no call was made'}, by k6 ${run.k6}`,
  ];
  return `${inert(lines.join('\n'))}\n\n${consoleReport(run, { page })}`;
}

/** load-NAME.json, format 1. Other programs read it, so fields are only ever added, and never change their meaning. */
function loadJson(run: LoadRun): string {
  const { suite, startedAt, durationMs, targets, k6, conformant, exitCode } = run;
  const { script, clockSpeed } = run.plan;
  const byKey = [...run.samples].map(([key, samples]) => [key, traceCounts(samples)]);
  const report = {
    format: 1,
    script,
    suite,
    startedAt,
    durationMs,
    targets,
    clockSpeed,
    k6,
    conformant,
    exitCode,
    reason: fullReason(run),
    clauses: run.clauses,
    keys: Object.fromEntries([...run.judged].map(([key, { detail }]) => [key, detail])),
    trace: {
      ...traceCounts([...run.samples.values()].flat()),
      partial: run.partial,
      byKey: Object.fromEntries(byKey),
    },
    notes: run.notes,
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}

/**
 * Writes load-NAME.json and load-NAME.html into the folder. `clean` removes secrets from every text once more. Throws
 * CannotRun if a file cannot be written.
 */
export function writeLoad(run: LoadRun, folder: string, clean: (text: string) => string): void {
  const texts = new Map([
    [`load-${run.plan.script}.html`, clean(loadHtml(run))],
    [`load-${run.plan.script}.json`, clean(loadJson(run))],
  ]);
  writeTogether(folder, texts);
}

/** load-NAME.html: the page of a run, with a chart for each key. */
const loadHtml = (run: LoadRun): string =>
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
  const { sentAt, status, limit, phase } = sample;
  const call = { sentAt, refused: status === 429, limit: firstNumber(limit) };
  return phase !== 'intruder' && (call.refused || isLetThrough(sample)) ? [call] : [];
}
