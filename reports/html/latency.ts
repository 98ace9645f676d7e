import { counted } from '../../common/words.ts';
import type { Exchange } from '../../results/exchange.ts';
import { duration, oneLine } from '../text.ts';
import { foldedMarkup, type Markup, markup, scrolling, tableMarkup } from './markup.ts';

/** The value below which that part of the values lie. */
const quantile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;

interface Timing {
  readonly endpoint: string;
  readonly calls: number;
  readonly median: number;
  readonly high: number;
  readonly most: number;
}

function timingsOf(exchanges: readonly Exchange[]): readonly Timing[] {
  const answered = exchanges.filter(({ response, endpoint }) => response !== null && endpoint !== null);
  return [...Map.groupBy(answered, ({ endpoint }) => endpoint ?? '')]
    .map(([endpoint, own]) => {
      const times = own.map(({ sentAt, receivedAt }) => Math.max(0, receivedAt - sentAt) || 0).sort((a, b) => a - b);
      const most = times.at(-1) ?? 0;
      return { endpoint, calls: own.length, median: quantile(times, 0.5), high: quantile(times, 0.95), most };
    })
    .sort((a, b) => b.high - a.high);
}

/** How long the calls of each endpoint took. No document promises a latency, so this is only information. */
export function latencyMarkup(exchanges: readonly Exchange[]): Markup {
  const timings = timingsOf(exchanges);
  const scale = Math.max(1, ...timings.map(({ most }) => most));
  const rows = timings.map(
    ({ endpoint, calls, median, high, most }) => markup`<tr><th scope="row"><code>${oneLine(endpoint, 120)}</code></th>
<td class="figure">${calls}</td><td class="figure">${duration(median)}</td><td class="figure">${duration(high)}</td><td class="figure">${duration(most)}</td>
<td>${bar(median, high, most, scale)}</td></tr>`,
  );
  const columns = ['Endpoint', 'Calls', 'Median', '95 %', 'Longest', 'Median, 95 %, longest'];
  return foldedMarkup(
    'latency',
    'Latency by endpoint',
    counted(timings.length, 'endpoint'),
    scrolling('Latency', tableMarkup('latency', columns, rows)),
  );
}

function bar(median: number, high: number, most: number, scale: number): Markup {
  const x = (ms: number): string => ((ms / scale) * 200).toFixed(1);
  return markup`<svg class="range" viewBox="0 0 204 12" width="204" height="12" aria-hidden="true">
<line x1="1" x2="${x(most)}" y1="6" y2="6"></line><rect x="0" y="2" width="${x(high)}" height="8" rx="2"></rect>
<circle cx="${x(median)}" cy="6" r="3"></circle></svg>`;
}
