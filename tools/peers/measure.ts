import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { baselineRuns, type Row } from './compare.ts';
import { dredd } from './dredd.ts';
import { cache } from './install.ts';
import { ours } from './ours.ts';
import { portman } from './portman.ts';
import { drawChoices, drawFaults, type Subject } from './sample.ts';
import { schemathesis } from './schemathesis.ts';
import { stepci } from './stepci.ts';
import { openTarget } from './target.ts';
import { apis, type Tool } from './tool.ts';

/** All tools; ours is first, and the others are compared with it. */
export const tools: readonly Tool[] = [ours, schemathesis, portman, dredd, stepci];

/** All measurements of one tool. */
export interface Measured {
  readonly tool: string;
  readonly date: string;
  /** Why there are no rows: it could not be installed or prepared. */
  readonly trouble: string | null;
  readonly rows: readonly Row[];
}

const plain: readonly Subject[] = apis.flatMap((api) =>
  Array.from({ length: baselineRuns + 1 }, (_, index) => ({
    api,
    kind: 'plain' as const,
    id: String(index + 1),
    says: 'the plain reference',
    chapter: api,
  })),
);

/** The deployments that every tool is run against: plain ones, faults, choices. */
export const subjects: readonly Subject[] = [...plain, ...drawFaults(), ...drawChoices()];

const fileOf = (tool: Tool): string => join(cache, 'measured', `${tool.name.replaceAll(' ', '-').toLowerCase()}.json`);

const isDone = (rows: readonly Row[], { kind, api, id }: Subject): boolean =>
  rows.some((row) => row.kind === kind && row.api === api && row.id === id);

/** The earlier measurements of a tool against current subjects; null if there are none. */
export function readMeasured(tool: Tool): Measured | null {
  if (!existsSync(fileOf(tool))) {
    return null;
  }
  const measured = JSON.parse(readFileSync(fileOf(tool), 'utf8')) as Measured;
  return { ...measured, rows: measured.rows.filter((row) => subjects.some((subject) => isDone([row], subject))) };
}

const folderOf = (tool: Tool): string => join(cache, 'work', tool.name.replaceAll(' ', '-').toLowerCase());

/** Prepares a tool. Resolves with the reason if that fails. */
async function prepared(tool: Tool): Promise<string | null> {
  mkdirSync(folderOf(tool), { recursive: true });
  try {
    await tool.prepare(folderOf(tool));
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function runOnce(tool: Tool, subject: Subject): Promise<Row> {
  const load = loadavg()[0] ?? 0;
  const target = await openTarget(subject);
  try {
    const outcome = await tool.run(target, folderOf(tool));
    const { api, kind, id } = subject;
    return { api, kind, id, ...outcome, requests: target.requests(), load };
  } finally {
    await target.close();
  }
}

/**
 * Measures the tools against every subject, one run at a time, each with a fresh deployment. The tools take turns, so
 * that other work of the machine affects all of them. Writes each result into the cache; with `resume`, the results of
 * an earlier call are kept.
 */
export async function measure(chosen: readonly Tool[], resume: boolean, say: (line: string) => void): Promise<void> {
  mkdirSync(join(cache, 'measured'), { recursive: true });
  const states = new Map<Tool, Measured>();
  for (const tool of chosen) {
    const before = resume ? readMeasured(tool) : null;
    const trouble = await prepared(tool);
    const date = new Date().toISOString().slice(0, 10);
    const state = { tool: tool.name, date, trouble, rows: before?.rows ?? [] };
    states.set(tool, state);
    writeFileSync(fileOf(tool), JSON.stringify(state));
  }
  for (const [index, subject] of subjects.entries()) {
    const shown: string[] = [];
    for (const [tool, state] of states) {
      if (state.trouble === null && !isDone(state.rows, subject)) {
        const row = await runOnce(tool, subject);
        const now = { ...state, rows: [...state.rows, row] };
        states.set(tool, now);
        writeFileSync(fileOf(tool), JSON.stringify(now));
        shown.push(`${tool.name} ${(row.durationMs / 1000).toFixed(1)} s, ${row.failures.length} failures`);
      }
    }
    say(`${index + 1}/${subjects.length} ${subject.api} ${subject.kind} ${subject.id}: ${shown.join('; ')}`);
  }
}
