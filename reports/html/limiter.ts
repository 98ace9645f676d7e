import { counted } from '../../common/words.ts';
import { type Exchange, headerOf } from '../../results/exchange.ts';
import type { Run } from '../../results/verdict.ts';
import { foldedMarkup, type Markup, markup } from './markup.ts';
import { type ChartCall, traceChart } from './trace-chart.ts';

/** A key's timeline is shown only if a call was refused and there were at least this many calls. */
const leastCalls = 30;
const mostTimelines = 6;

/** What the limiter did, a chart for each key that reached its limit; null if none did. */
export function limiterMarkup(run: Run): Markup | null {
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
  const number = (name: string): number | null => {
    const text = headerOf(response?.headers ?? [], name);
    return text === null || !Number.isFinite(Number(text)) ? null : Number(text);
  };
  return response === null
    ? []
    : [
        {
          sentAt,
          refused: response.status === 429,
          limit: number('X-RateLimit-Limit'),
          remaining: number('X-RateLimit-Remaining'),
        },
      ];
}
