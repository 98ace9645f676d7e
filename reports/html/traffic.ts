import { commandOf } from '../../common/suite.ts';
import { counted } from '../../common/words.ts';
import { type Exchange, headerOf } from '../../results/exchange.ts';
import type { ReceivedDelivery, Run } from '../../results/verdict.ts';
import { oneLine } from '../text.ts';
import { pane } from './exchange.ts';
import { foldedMarkup, type Markup, markup, moreMarkup } from './markup.ts';
import { credentialMatrix, scopeMatrix } from './matrices.ts';
import { type ChartCall, traceChart } from './trace-chart.ts';

/** How many of each the page shows; the HAR files have all. */
const most = { timelines: 6, deliveries: 20 } as const;

/**
 * All traffic: statuses by endpoint and credential, the limiter's timelines, webhook deliveries.
 */
export function trafficMarkup(run: Run): Markup | null {
  if (run.exchanges.length === 0) {
    return null;
  }
  return markup`<section class="traffic" id="traffic" aria-labelledby="traffic-title"><h2 id="traffic-title">Traffic</h2>
${credentialMatrix(run.exchanges)}
${scopeMatrix(run.exchanges)}
${limiterMarkup(run)}
${deliveriesMarkup(run.deliveries)}
</section>`;
}

/** A key's timeline is shown only if a call was refused and there were at least this many calls. */
const leastCalls = 30;

/** What the limiter did, a chart for each key that reached its limit; null if none did. */
function limiterMarkup(run: Run): Markup | null {
  const windowMs = 60_000 / (Number(run.settings.CLOCK_SPEED ?? '1') || 1);
  const keys = [...Map.groupBy(run.exchanges, ({ api, keyLabel }) => `${api}: ${keyLabel ?? 'no key'}`)]
    .filter(([, own]) => own.length >= leastCalls && own.some(({ response }) => response?.status === 429))
    .slice(0, most.timelines);
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

/** The webhook deliveries that arrived; findings about signatures are about these. */
function deliveriesMarkup(deliveries: readonly ReceivedDelivery[]): Markup | null {
  if (deliveries.length === 0) {
    return null;
  }
  const items = deliveries.slice(0, most.deliveries).map(deliveryMarkup);
  return foldedMarkup(
    'deliveries',
    'Webhook deliveries',
    `${counted(deliveries.length, 'delivery')}; ${commandOf('signature', 'deliveries.har')} says more about them`,
    markup`${items}${moreMarkup(deliveries.length - most.deliveries, 'delivery', 'in deliveries.har')}`,
  );
}

function deliveryMarkup({ method, url, headers, body, encoding }: ReceivedDelivery, index: number): Markup {
  const text = encoding === 'utf8' ? body : `(base64) ${body}`;
  const line = `${method} ${URL.canParse(url) ? new URL(url).pathname : url}`;
  return markup`<details class="exchange"><summary>Delivery ${index + 1}: <code>${oneLine(line, 140)}</code></summary>
${pane(line, headers, text, `Delivery ${index + 1}`)}</details>`;
}
