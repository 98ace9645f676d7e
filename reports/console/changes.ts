import { counted } from '../../common/words.ts';
import type { Run } from '../../results/verdict.ts';
import { oneLine } from '../text.ts';
import { marks, minuteOf, sinceText } from '../words.ts';
import { heading, indented, type Layout, leftOut } from './layout.ts';

/** How many changes the console shows; the page has the rest. */
const most = { drift: 20, changes: 8 } as const;

/** What changed against the accepted run (PROFILE). */
export function driftLines(run: Run, layout: Layout): string[] {
  const changes = run.drift ?? [];
  if (changes.length === 0) {
    return [];
  }
  const rows = changes
    .slice(0, most.drift)
    .flatMap(({ clause, place, before, now }) =>
      indented(`${clause} ${place}: ${shortJson(before)} → ${shortJson(now)}`, 2, layout, 2),
    );
  return [
    heading(layout, `Drift (${counted(changes.length, 'change')} against PROFILE)`),
    ...rows,
    ...leftOut(changes.length - most.drift, 'change', 'in conformance.json'),
  ];
}

/** A value as JSON on one line. */
export const shortJson = (value: unknown): string => oneLine(JSON.stringify(value) ?? '(absent)', 160);

/** Verdicts that changed since the previous run. */
export function sinceLines(run: Run, layout: Layout): string[] {
  const changes = run.since?.changes ?? [];
  if (run.since === null || changes.length === 0) {
    return [];
  }
  const rows = changes
    .slice(0, most.changes)
    .flatMap(({ id, before, now }) => indented(`${marks[now]} ${id}: ${before} → ${now}`, 2, layout, 1));
  return [
    heading(layout, `Since the run of ${minuteOf(run.since.startedAt)}: ${sinceText(run)}`),
    ...rows,
    ...leftOut(changes.length - most.changes, 'change', 'in conformance.html'),
  ];
}
