import { readFileSync } from 'node:fs';
import type { Api } from '../../../contract/clause.ts';

/**
 * The name of a run's ledger for an API: when the run began, its process, and (on Linux) when that process began, in the kernel's ticks.
 * A process id alone is used again sooner or later, in a container after every start.
 */
export function ledgerName(api: Api, startedAt: Date, pid: number = process.pid): string {
  const stamp = startedAt.toISOString().replace(/[-:]|\.\d+Z/g, '');
  return `${api}-${stamp}-${pid}-${ticksOf(pid) ?? 0}`;
}

/** Whether the run that keeps the ledger of that name is still alive; a name of another form belongs to nobody. */
export function isAlive(name: string): boolean {
  const [, pid, ticks] = /-(\d+)-(\d+)$/.exec(name) ?? [];
  if (pid === undefined || ticks === undefined || Number(pid) === process.pid) {
    return false;
  }
  const now = ticksOf(Number(pid));
  return now === null ? exists(Number(pid)) : String(now) === ticks;
}

/** Field 22 of /proc/PID/stat; the second may hold anything. null where there is no such process, or it has ended (a zombie). */
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
  // Where /proc exists, a process that is not in it is gone.
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
