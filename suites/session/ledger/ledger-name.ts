import { readFileSync } from 'node:fs';
import type { ApiName } from '../../../contract/clause.ts';

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
  return now === null ? exists(Number(pid)) : String(now) === ticks;
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

function exists(pid: number): boolean {
  // On Linux /proc lists every process: one that is not there is gone.
  if (process.platform === 'linux') {
    return false;
  }
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM';
  }
}
