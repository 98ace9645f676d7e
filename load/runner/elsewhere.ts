import { readFileSync } from 'node:fs';
import { CannotRun } from '../../common/cannot-run.ts';
import { ontoServerClock } from '../../limits/judge/merge.ts';
import type { Sample } from '../../limits/judge/trace.ts';
import type { Settings } from '../../settings/settings.ts';
import { fromRow, type Line, type Plan } from '../seam/plan.ts';
import type { Arguments } from './arguments.ts';
import { defectsIn, type Trace } from './collect.ts';
import type { Conducted } from './conduct.ts';
import { parseLine } from './follow-lines.ts';

/** The line of a trace in a line of a log: as it is (--log-format=raw), or quoted in `msg` (k6's own format). */
function lineIn(text: string): Line | null {
  const quoted = /\bmsg=("(?:[^"\\]|\\.)*")/.exec(text)?.[1];
  if (quoted === undefined) {
    return parseLine(text.slice(Math.max(0, text.indexOf('{"t":'))));
  }
  try {
    return parseLine(JSON.parse(quoted) as string);
  } catch {
    return null;
  }
}

/** The lines of an instance's trace in its log, which may have other lines too, from k6 or the cluster. */
function readTrace(file: string): Line[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((text) => lineIn(text) ?? []);
  } catch (error) {
    throw new CannotRun(`Cannot read the trace ${file}: ${(error as Error).message}`);
  }
}

function planIn(traces: readonly (readonly Line[])[], options: Arguments, settings: Settings): Plan {
  const begun = traces.map((lines) => lines.find((line) => line.t === 'begin'));
  const plan = traces.flat().find((line) => line.t === 'plan');
  if (plan === undefined) {
    throw new CannotRun('Cannot judge the traces: none of them holds the plan of its run');
  }
  if (plan.plan.script !== options.script) {
    throw new CannotRun(`Cannot judge the traces as ${options.script}: they are of ${plan.plan.script}`);
  }
  if (plan.plan.clockSpeed !== settings.CLOCK_SPEED) {
    throw new CannotRun(
      `Cannot judge the traces: they were made with CLOCK_SPEED=${plan.plan.clockSpeed}, and it is ${settings.CLOCK_SPEED}`,
    );
  }
  if (begun.some((line) => line !== undefined && line.run !== plan.plan.run)) {
    throw new CannotRun('Cannot judge the traces: they are of several runs');
  }
  return plan.plan;
}

/** Each subject's samples over all instances, on the server's clock. */
function samplesOf(traces: readonly (readonly Line[])[], plan: Plan): Map<string, readonly Sample[]> {
  return new Map(
    plan.subjects.map(({ label }) => {
      const own = traces.map((lines) =>
        lines.flatMap((line) => (line.t === 'samples' && line.subject === label ? line.rows.map(fromRow) : [])),
      );
      const merged = ontoServerClock(own.filter((samples) => samples.length > 0));
      if (merged === null) {
        throw new CannotRun(`Cannot bring the traces of ${label} onto one clock: an instance got no Date header`);
      }
      return [label, merged];
    }),
  );
}

function defectsOf(lines: readonly Line[], plan: Plan): string[] {
  const rows = lines.reduce((sum, line) => sum + (line.t === 'samples' ? line.rows.length : 0), 0);
  const calls = lines.reduce((sum, line) => sum + (line.t === 'end' ? line.calls : 0), 0);
  const lost = rows === calls ? [] : [`the VUs made ${calls} calls, and the traces have ${rows}`];
  return [...defectsIn(lines, plan), ...lost];
}

/**
 * Reads the traces of instances that ran elsewhere. Throws CannotRun if a file cannot be read, or if the traces are not
 * all of one run of this script with this CLOCK_SPEED.
 */
export function readTraces(options: Arguments, settings: Settings): Conducted {
  const traces = options.traces.map(readTrace);
  const plan = planIn(traces, options, settings);
  const bySubject = samplesOf(traces, plan);
  const notes = traces.flat().filter((line) => line.t === 'note');
  const samples = [...bySubject.values()].flat().sort((a, b) => a.sentAt - b.sentAt);
  const trace: Trace = { samples, bySubject, notes, metrics: [], defects: defectsOf(traces.flat(), plan) };
  return { plan, keys: { subjects: plan.subjects, secrets: {}, skipped: [] }, trace, k6: null, notes: [] };
}
