import { counted, thousands } from '../../common/words.ts';
import { duration, oneLine } from '../text.ts';
import { type Markup, markup } from './markup.ts';

/** An answered call of one key, as a chart shows it. */
export interface ChartCall {
  readonly sentAt: number;
  readonly refused: boolean;
  /** X-RateLimit-Limit; null: none. */
  readonly limit: number | null;
}

const size = { width: 760, height: 190, left: 44, bottom: 26, top: 12 } as const;
/** A chart with more points would show nothing more. */
const mostPoints = 3_000;

interface Point {
  readonly at: number;
  /** How many calls were admitted in the minute that ends here. */
  readonly admitted: number;
  readonly refused: boolean;
}

/**
 * What a limiter did with the calls of a key over time: calls admitted in the trailing minute, refusals, the limit.
 * `windowMs`: how long the deployment's minute takes.
 */
export function traceChart(key: string, calls: readonly ChartCall[], windowMs: number): Markup {
  const sorted = calls.toSorted((a, b) => a.sentAt - b.sentAt);
  const all = pointsOf(sorted, windowMs);
  const limits = sorted.flatMap(({ limit }) => limit ?? []);
  const limit = limits.length === 0 ? null : Math.max(...limits);
  const from = all[0]?.at ?? 0;
  const to = all.at(-1)?.at ?? 1;
  const refused = all.filter((point) => point.refused).length;
  const most = all.reduce((high, { admitted }) => Math.max(high, admitted), 0);
  const top = Math.max(limit ?? 0, most) * 1.1 || 1;
  const x = (at: number): string =>
    (size.left + ((at - from) / Math.max(1, to - from)) * (size.width - size.left - 8)).toFixed(1);
  const y = (value: number): string =>
    (size.top + (1 - value / top) * (size.height - size.top - size.bottom)).toFixed(1);
  const points = all.filter((_, index) => index % Math.ceil(all.length / mostPoints) === 0);
  const mark = (point: Point): Markup =>
    markup`<circle class="${point.refused ? 'refused' : 'admitted'}" cx="${x(point.at)}" cy="${y(point.admitted)}" r="${point.refused ? 3 : 1.8}"/>`;
  const caption = `${counted(all.length - refused, 'call')} admitted, ${thousands(refused)} refused, at most ${thousands(most)} in a minute${
    limit === null ? '' : `; X-RateLimit-Limit is ${limit}`
  }`;
  return markup`<figure class="timeline"><figcaption><strong>${oneLine(key, 120)}</strong> ${caption}</figcaption>
<div class="scroll" tabindex="0" role="group" aria-label="Timeline of ${oneLine(key, 120)}">
<svg viewBox="0 0 ${size.width} ${size.height}" width="${size.width}" height="${size.height}" role="img" aria-label="${caption}">
<line class="axis" x1="${size.left}" x2="${size.width - 8}" y1="${y(0)}" y2="${y(0)}"/>
${limit === null ? null : limitLine(limit, y(limit))}
<polyline points="${points.map(({ at, admitted }) => `${x(at)},${y(admitted)}`).join(' ')}"/>${points.map(mark)}
<text x="${size.left}" y="${size.height - 8}">0 s</text>
<text x="${size.width - 8}" y="${size.height - 8}" text-anchor="end">${duration(to - from)}</text>
<text x="${size.left - 6}" y="${y(0)}" text-anchor="end">0</text></svg></div>
<p class="legend">Admitted in the trailing minute <span class="dot admitted"></span>, refused <span class="dot refused"></span>, limit <span class="dash limit"></span></p></figure>`;
}

/** The calls with how many were admitted in the minute before each. */
function pointsOf(sorted: readonly ChartCall[], windowMs: number): Point[] {
  const admittedAt: number[] = [];
  let first = 0;
  return sorted.map(({ sentAt, refused }) => {
    if (!refused) {
      admittedAt.push(sentAt);
    }
    while ((admittedAt[first] ?? sentAt) <= sentAt - windowMs) {
      first += 1;
    }
    return { at: sentAt, admitted: admittedAt.length - first, refused };
  });
}

const limitLine = (limit: number, y: string): Markup =>
  markup`<line class="limit" x1="${size.left}" x2="${size.width - 8}" y1="${y}" y2="${y}"/><text x="${size.left - 6}" y="${y}" dy="4" text-anchor="end">${limit}</text>`;
