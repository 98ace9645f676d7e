import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CannotRun } from '../../../common/cannot-run.ts';
import { fileTrouble, makeFolder } from '../../../common/files.ts';
import { parseJson } from '../../../common/json.ts';
import type { ApiName } from '../../../contract/clause.ts';
import { createLedger } from './ledger.ts';

/** Where ledgers lie until everything in them is deleted. REPORTS_DIR does not move it, so that clean-up finds them. */
export const ledgerFolder = '.ledger';

export type OpenLedger = ReturnType<typeof openLedger>;

/**
 * A ledger in a file, with the entries that it holds. Flushes every line. `onTrouble` is called with the reason if a
 * line cannot be written, such as on a full disk; the ledger in memory then goes on. Throws what the file system throws
 * when the file is read.
 */
export function openLedger(
  name: string,
  folder = ledgerFolder,
  onTrouble: (why: string) => void = (why) => {
    throw new CannotRun(why);
  },
) {
  const path = join(folder, `${name}.jsonl`);
  const append = (text: string): void => {
    try {
      makeFolder(folder);
      appendFileSync(path, text, { flush: true });
    } catch (error) {
      onTrouble(
        `Cannot write ${folder}, where a run records what it creates: ${fileTrouble(error)}; make it writable, or set WRITES=none`,
      );
    }
  };
  // The line break is in front: what a kill, or a full disk, has cut off must not swallow the next line.
  const sink = (line: string): void => append(`\n${line}`);
  const lines = existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : [];
  // A kill may have cut off the last line. Nothing was sent for it.
  const isTorn = parseJson(lines.at(-1) ?? '') === undefined;
  const ledger = createLedger(sink, isTorn ? lines.slice(0, -1) : lines);
  return {
    ledger,
    path,
    /** Makes the file, before a run creates anything: there is trouble where it cannot be written. */
    make: (): void => append(''),
    /** Deletes the file where nothing in it remains to be deleted and all of it could be read. */
    close(): void {
      if (ledger.toDelete().length === 0 && ledger.unreadable === 0 && existsSync(path)) {
        rmSync(path, { force: true });
      }
    },
  };
}

/** Names of the ledgers that earlier runs left. Throws CannotRun where the folder cannot be read. */
export function leftLedgers(folder = ledgerFolder): string[] {
  if (!existsSync(folder)) {
    return [];
  }
  try {
    // A run writes files only: a folder or link was put there by somebody else.
    const files = readdirSync(folder, { withFileTypes: true }).filter((file) => file.isFile());
    return files.flatMap(({ name }) => (name.endsWith('.jsonl') ? [name.slice(0, -'.jsonl'.length)] : [])).sort();
  } catch (error) {
    throw new CannotRun(`Cannot read ${folder}, where runs record what they created: ${fileTrouble(error)}`);
  }
}

/**
 * The name of a run's ledger for an API: when the run began, its process id, and (on Linux) when that process began, in
 * the kernel's ticks. A process id alone is used again sooner or later; in a container, after every start.
 */
export function ledgerName(api: ApiName, startedAt: Date, pid: number = process.pid): string {
  const stamp = startedAt.toISOString().replace(/[-:]|\.\d+Z/g, '');
  return `${api}-${stamp}-${pid}-${ticksOf(pid) ?? 0}`;
}

/** Whether the run that keeps the ledger of that name is still alive. A name of another form belongs to no run. */
export function isAlive(name: string): boolean {
  const [, pid, ticks] = /-(\d+)-(\d+)$/.exec(name) ?? [];
  if (pid === undefined || ticks === undefined || Number(pid) === process.pid) {
    return false;
  }
  const now = ticksOf(Number(pid));
  // On Linux /proc lists every process: one that is not there is gone.
  if (now !== null || process.platform === 'linux') {
    return String(now) === ticks;
  }
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM';
  }
}

/**
 * When a process began, in ticks: field 22 of /proc/PID/stat, counted from after the second field, which may hold
 * spaces and parentheses. null: there is no such process, or it has ended (a zombie).
 */
function ticksOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? null : Number(fields[19]);
  } catch {
    return null;
  }
}
