import { counted } from '../../common/words.ts';
import { type Exchange, headerOf } from '../../results/exchange.ts';
import type { Run } from '../../results/verdict.ts';
import { foldedMarkup, type Markup, markup } from './markup.ts';
import { credentialMatrix, scopeMatrix } from './matrices.ts';
import { type ChartCall, traceChart } from './trace-chart.ts';

/** How many timelines the page shows; exchanges.har has all calls. */
const mostTimelines = 6;

/** All traffic: statuses by endpoint and credential, and the limiter's timelines. */
export function trafficMarkup(run: Run): Markup | null {
  if (run.exchanges.length === 0) {
    return null;
  }
  return markup`<section class="traffic" id="traffic" aria-labelledby="traffic-title"><h2 id="traffic-title">Traffic</h2>
${credentialMatrix(run.exchanges)}
${scopeMatrix(run.exchanges)}
${limiterMarkup(run)}
</section>`;
}

/** A key's timeline is shown only if a call was refused and there were at least this many calls. */
const leastCalls = 30;

/** What the limiter did, a chart for each key that reached its limit; null if none did. */
function limiterMarkup(run: Run): Markup | null {
  const windowMs = 60_000 / (Number(run.settings.CLOCK_SPEED ?? '1') || 1);
  const keys = [...Map.groupBy(run.exchanges, ({ api, keyLabel }) => `${api}: ${keyLabel ?? 'no key'}`)]
    .filter(([, own]) => own.length >= leastCalls && own.some(({ response }) => response?.status === 429))
    .slice(0, mostTimelines);
  return keys.length === 0
    ? null
    : foldedMarkup(
        'limiter',
        'Rate limits over time',
        `${counted(keys.length, 'key')} that reached a limit`,
        markup`${keys.map(([key, own]) => traceChart(key, own.flatMap(callOf), windowMs))}`,
      );
}

function callOf({ sentAt, response }: Exchange): ChartCall[] {
  if (response === null) {
    return [];
  }
  const limit = Number.parseFloat(headerOf(response.headers, 'X-RateLimit-Limit') ?? '');
  return [{ sentAt, refused: response.status === 429, limit: Number.isNaN(limit) ? null : limit }];
}
