import { counted, thousands } from '../../common/words.ts';
import type { Exchange } from '../../results/exchange.ts';
import { headerOf } from '../../results/exchange.ts';
import type { Run } from '../../results/verdict.ts';
import { duration, oneLine } from '../text.ts';
import { foldedMarkup, type Markup, markup } from './markup.ts';

/** A key's timeline is shown only if a call was refused and there were at least this many calls. */
const leastCalls = 30;
const mostTimelines = 6;
const size = { width: 760, height: 190, left: 44, bottom: 26, top: 12 } as const;

interface Point {
  readonly at: number;
  /** How many calls were admitted in the minute that ends here. */
  readonly admitted: number;
  readonly refused: boolean;
}

interface Timeline {
  readonly key: string;
  readonly points: readonly Point[];
  /** The number in X-RateLimit-Limit; null if there is none. */
  readonly limit: number | null;
  /** When Remaining was seen to rise, so that a window had ended. */
  readonly edges: readonly number[];
}

/**
 * What the limiter did, a chart for each key: calls admitted in the trailing minute, refusals, the limit, ends of
 * windows.
 */
export function limiterMarkup(run: Run): Markup | null {
  const windowMs = 60_000 / (Number(run.settings.CLOCK_SPEED ?? '1') || 1);
  const timelines = [...Map.groupBy(run.exchanges, ({ api, keyLabel }) => `${api}: ${keyLabel ?? 'no key'}`)]
    .filter(([, own]) => own.length >= leastCalls && own.some(({ response }) => response?.status === 429))
    .slice(0, mostTimelines)
    .map(([key, own]) => timelineOf(key, own, windowMs));
  if (timelines.length === 0) {
    return null;
  }
  return foldedMarkup(
    'limiter',
    'Rate limits over time',
    `${counted(timelines.length, 'key')} that reached a limit`,
    markup`${timelines.map(chart)}`,
  );
}

function timelineOf(key: string, exchanges: readonly Exchange[], windowMs: number): Timeline {
  const sorted = exchanges.filter(({ response }) => response !== null).sort((a, b) => a.sentAt - b.sentAt);
  const admittedAt = sorted.filter(({ response }) => response?.status !== 429).map(({ sentAt }) => sentAt);
  const points = sorted.map(({ sentAt, response }) => ({
    at: sentAt,
    admitted: admittedAt.filter((at) => at > sentAt - windowMs && at <= sentAt).length,
    refused: response?.status === 429,
  }));
  const number = (exchange: Exchange | undefined, name: string): number =>
    Number(headerOf(exchange?.response?.headers ?? [], name) ?? Number.NaN);
  const limits = sorted.map((exchange) => number(exchange, 'X-RateLimit-Limit')).filter(Number.isFinite);
  const remaining = sorted.map((exchange) => number(exchange, 'X-RateLimit-Remaining'));
  // Calls under way at the same time may be counted in any order, so a small rise does not show the end of a window.
  const edges = sorted.flatMap(({ sentAt }, index) =>
    (remaining[index] ?? 0) - (remaining[index - 1] ?? Number.NaN) > Math.max(5, (limits[0] ?? 0) * 0.2)
      ? [sentAt]
      : [],
  );
  return { key, points, limit: limits.length === 0 ? null : Math.max(...limits), edges };
}

function chart({ key, points, limit, edges }: Timeline): Markup {
  const [from, to] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 1];
  const top = Math.max(limit ?? 0, ...points.map(({ admitted }) => admitted)) * 1.1 || 1;
  const x = (at: number): number => size.left + ((at - from) / Math.max(1, to - from)) * (size.width - size.left - 8);
  const y = (value: number): number => size.top + (1 - value / top) * (size.height - size.top - size.bottom);
  const admitted = points.filter((point) => !point.refused);
  const refused = points.filter((point) => point.refused);
  const most = Math.max(0, ...points.map((point) => point.admitted));
  const at = (value: number): string => value.toFixed(1);
  const line = points.map((point) => `${at(x(point.at))},${at(y(point.admitted))}`).join(' ');
  const mark = ({ at: time, admitted: count, refused: isRefused }: Point): Markup =>
    markup`<circle class="${isRefused ? 'refused' : 'admitted'}" cx="${at(x(time))}" cy="${at(y(count))}" r="${isRefused ? 3 : 1.8}"/>`;
  const caption = `${counted(admitted.length, 'call')} admitted, ${thousands(refused.length)} refused, at most ${thousands(most)} in a minute${
    limit === null ? '' : `; X-RateLimit-Limit is ${limit}`
  }`;
  return markup`<figure class="timeline"><figcaption><strong>${oneLine(key, 120)}</strong> ${caption}</figcaption>
<div class="scroll" tabindex="0" role="group" aria-label="Timeline of ${oneLine(key, 120)}">
<svg viewBox="0 0 ${size.width} ${size.height}" width="${size.width}" height="${size.height}" role="img" aria-label="${caption}">
${edges.map((edge) => markup`<line class="edge" x1="${at(x(edge))}" x2="${at(x(edge))}" y1="${size.top}" y2="${size.height - size.bottom}"/>`)}
<line class="axis" x1="${size.left}" x2="${size.width - 8}" y1="${at(y(0))}" y2="${at(y(0))}"/>
${limit === null ? null : limitLine(limit, at(y(limit)))}
<polyline points="${line}"/>${points.map(mark)}
<text x="${size.left}" y="${size.height - 8}">0 s</text>
<text x="${size.width - 8}" y="${size.height - 8}" text-anchor="end">${duration(to - from)}</text>
<text x="${size.left - 6}" y="${at(y(0))}" text-anchor="end">0</text></svg></div>
<p class="legend">Admitted in the trailing minute <span class="dot admitted"></span>, refused <span class="dot refused"></span>, limit <span class="dash limit"></span>, end of a window <span class="dash edge"></span></p></figure>`;
}

const limitLine = (limit: number, y: string): Markup =>
  markup`<line class="limit" x1="${size.left}" x2="${size.width - 8}" y1="${y}" y2="${y}"/><text x="${size.left - 6}" y="${y}" dy="4" text-anchor="end">${limit}</text>`;
