import { ascending, countBelow, type Timeline } from './timeline.ts';
import type { Range } from './trace.ts';
import { type Fit, fitWindows, gridWindows } from './windows.ts';

/** A range of phases of a grid (on the client's clock, modulo the grid's period), and the limits that they allow. */
export interface PhaseFit extends Fit, Range {}

/** The stretches of time that must each include an edge of the grid: from a refusal to the admission after it. */
function edgeBounds({ calls, refused }: Timeline, period: number, slack: number): Range[] {
  const byEnd = [...refused].sort((a, b) => a.to - b.to);
  const ends = byEnd.map(({ to }) => to);
  const earliest = new Map<number, number>();
  for (const call of calls) {
    const before = call.outcome === 'admitted' ? countBelow(ends, call.from) - 1 : -1;
    if (before >= 0) {
      earliest.set(before, Math.min(earliest.get(before) ?? Infinity, call.to));
    }
  }
  return [...earliest]
    .map(([index, to]) => ({ from: (byEnd[index]?.from ?? 0) - slack, to: to + slack }))
    .filter(({ from, to }) => to - from < period);
}

const modulo = (value: number, period: number): number => ((value % period) + period) % period;

/** The phases, from 0 to the period, at which each of these stretches includes an edge. */
function possiblePhases(bounds: readonly Range[], period: number): Range[] {
  let ranges: Range[] = [{ from: 0, to: period }];
  for (const bound of bounds) {
    const from = modulo(bound.from, period);
    const to = from + bound.to - bound.from;
    const arcs = [
      { from, to },
      { from: from - period, to: to - period },
    ];
    ranges = ranges.flatMap((range) =>
      arcs
        .map((arc) => ({ from: Math.max(range.from, arc.from), to: Math.min(range.to, arc.to) }))
        .filter((part) => part.from <= part.to),
    );
  }
  return ranges.sort((a, b) => a.from - b.from);
}

/** The possible phases as ranges within which no call changes its window. */
function steadyRanges({ all }: Timeline, period: number, possible: readonly Range[]): Range[] {
  const points = ascending([...all.froms, ...all.tos].map((moment) => modulo(moment, period)));
  return possible.flatMap(({ from, to }) => {
    const inside = points.slice(countBelow(points, from, true), countBelow(points, to));
    const edges = [from, ...inside, to];
    return edges
      .slice(1)
      .map((end, index) => ({ from: edges[index] as number, to: end }))
      .filter((range) => range.to - range.from > 0.2 || edges.length === 2);
  });
}

/** How many fits are tried: fewer on a longer trace, so that judging takes time in proportion to its length. */
const triesOn = ({ calls }: Timeline): number => Math.min(4096, Math.max(128, Math.ceil(4e6 / calls.length)));

/** A group of ranges that fits as a whole is divided into this many parts. */
const branches = 4;

/**
 * The phases at which a grid explains the trace, with the limits that they allow. All ranges are tried together first;
 * a group that cannot fit is dropped, and one that may fit is divided. When the tries are used up, undivided groups are
 * returned as they are: the result may be too wide, but never too narrow.
 */
export function fitGrid(timeline: Timeline, windowMs: number, slack: number, segments = 1): PhaseFit[] {
  const period = windowMs / segments;
  const possible = possiblePhases(edgeBounds(timeline, period, slack), period);
  const ranges = steadyRanges(timeline, period, possible);
  const fits: PhaseFit[] = [];
  const most = triesOn(timeline);
  let tries = 0;
  const fitOf = (first: number, end: number): PhaseFit | null => {
    const range = { from: (ranges[first] as Range).from, to: (ranges[end - 1] as Range).to };
    const middle = (range.from + range.to) / 2;
    const phase = end - first === 1 ? { from: middle, to: middle } : range;
    const fit = fitWindows(timeline, gridWindows(timeline, period, phase, slack, segments), segments);
    tries += 1;
    return fit === null ? null : { ...fit, ...range };
  };
  const queue: [number, number][] = ranges.length === 0 ? [] : [[0, ranges.length]];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const [first, end] = next;
    const fit = fitOf(first, end);
    if (fit !== null && (end - first === 1 || tries + queue.length >= most)) {
      fits.push(fit);
    } else if (fit !== null) {
      const step = Math.ceil((end - first) / branches);
      for (let at = first; at < end; at += step) {
        queue.push([at, Math.min(end, at + step)]);
      }
    }
  }
  return fits.sort((a, b) => a.from - b.from);
}
