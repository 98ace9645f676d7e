import { readdirSync, readFileSync } from 'node:fs';

/** A file of /proc; empty if the process has just ended. */
function procFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function childrenOf(pid: number): number[] {
  let threads: string[] = [];
  try {
    threads = readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
  const own = threads.flatMap((thread) =>
    procFile(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  );
  return own.flatMap((child) => [child, ...childrenOf(child)]);
}

/** The resident memory of a process and all its descendants, in bytes (Linux). */
const residentOf = (pid: number): number =>
  [pid, ...childrenOf(pid)]
    .map((one) => Number(/VmRSS:\s+(\d+)/.exec(procFile(`/proc/${one}/status`))?.[1] ?? 0) * 1024)
    .reduce((sum, bytes) => sum + bytes, 0);

const everyMs = 10;

/** Watches the memory of a process tree. `stop` returns the highest value seen, in bytes. */
export function watchMemory(pid: number): { stop(): number } {
  let most = 0;
  const timer = setInterval(() => {
    most = Math.max(most, residentOf(pid));
  }, everyMs);
  return {
    stop() {
      clearInterval(timer);
      return most;
    },
  };
}
