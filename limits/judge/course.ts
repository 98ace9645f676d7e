import type { Timeline } from './timeline.ts';

/** How many calls were admitted and refused, burst by burst, with the seconds since the first call. */
export function courseOf({ calls, span }: Timeline): string {
  const points: { from: number; to: number; admitted: number; refused: number }[] = [];
  for (const { from, to, outcome } of calls) {
    const last = points.at(-1);
    const belongsToLast =
      last !== undefined && (from - last.to < 1000 || (last.admitted === 0 && outcome === 'refused'));
    const point = belongsToLast ? last : { from, to, admitted: 0, refused: 0 };
    point.to = Math.max(point.to, to);
    point.admitted += outcome === 'admitted' ? 1 : 0;
    point.refused += outcome === 'refused' ? 1 : 0;
    if (!belongsToLast) {
      points.push(point);
    }
  }
  const shown = points.slice(0, 8).map(({ from, admitted, refused }) => {
    const counts = [admitted > 0 ? `${admitted} admitted` : '', refused > 0 ? `${refused} refused` : ''];
    return `${counts.filter((text) => text !== '').join(' and ') || 'no response'} at ${((from - span.from) / 1000).toFixed(1)} s`;
  });
  return `${shown.join(', ')}${points.length > shown.length ? ', …' : ''}`;
}
