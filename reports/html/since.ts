import { counted } from '../../common/words.ts';
import type { PastRun, Run, Verdict } from '../../results/verdict.ts';
import { oneLine } from '../text.ts';
import { headline, minuteOf, readingOrder, sinceText, tone } from '../words.ts';
import { badge } from './badge.ts';
import { type Markup, markup, scrolling, when } from './markup.ts';

/** What changed since the previous run, and how earlier runs ended; null if there was none. */
export function sinceMarkup(run: Run): Markup | null {
  const { since } = run;
  if (since === null) {
    return null;
  }
  const rows = since.changes.map(
    ({ id, before, now, finding }) => markup`<tr><th scope="row"><a href="#${id}">${id}</a></th>
<td>${badge(before)} → ${badge(now)}</td><td>${oneLine(finding ?? '', 300)}</td></tr>`,
  );
  return markup`<section class="since" id="since" aria-labelledby="since-title">
<h2 id="since-title">Since the run of ${minuteOf(since.startedAt)} <span class="of">${sinceText(run)}</span></h2>
${when(rows.length > 0, () => scrolling('Changed verdicts', markup`<table class="changes"><tbody>${rows}</tbody></table>`))}
${historyMarkup([...since.runs, { startedAt: run.startedAt, conformant: run.conformant, totals: {} }])}
</section>`;
}

/** A mark for each run, this one last. */
function historyMarkup(runs: readonly PastRun[]): Markup {
  const marks = runs.map((run, index) => {
    const label = `${minuteOf(run.startedAt)}: ${index === runs.length - 1 ? 'this run' : totalsText(run)}`;
    return markup`<li class="${tone(run)}" title="${label}"><span class="unseen">${headline(run)}, ${label}</span></li>`;
  });
  return markup`<p class="legend">${counted(runs.length, 'run')}, newest last. Green: conformant; red: not conformant; magenta: unknown</p><ol class="history">${marks}</ol>`;
}

const totalsText = ({ totals }: PastRun): string => {
  const counts = readingOrder.flatMap((word) =>
    (totals[word] ?? 0) > 0 ? [`${totals[word]} ${word as Verdict}`] : [],
  );
  return counts.length === 0 ? 'nothing was judged' : counts.join(', ');
};
