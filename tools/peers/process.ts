import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';

/** A command that has ended. */
interface Ended {
  /** Null if it was ended for taking too long. */
  readonly status: number | null;
  /** What it printed on both streams. */
  readonly output: string;
  readonly durationMs: number;
}

interface Where {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The longest time that it may take. */
  readonly mostMs: number;
}

/** An environment without the machine's settings, in which tools send no usage data. */
const quiet = {
  CI: '1',
  NO_COLOR: '1',
  FORCE_COLOR: '0',
  STEPCI_DISABLE_ANALYTICS: '1',
  NO_UPDATE_NOTIFIER: '1',
  npm_config_update_notifier: 'false',
};

/** Process groups that were started here and have not ended, which an interrupted bench must end. */
const living = new Set<number>();

/** Ends all running commands, by the ids of their process groups. */
export function endAll(): void {
  for (const group of living) {
    process.kill(-group, 'SIGKILL');
  }
}

/** Starts a command as the leader of a process group of its own. */
export function startGroup(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn(command, args, { ...options, detached: true });
  const { pid } = child;
  if (pid !== undefined) {
    living.add(pid);
    child.once('close', () => living.delete(pid));
  }
  return child;
}

/** Runs a command to its end. If it takes too long, its whole process group is ended, by its id. */
export async function runProcess(command: string, args: readonly string[], where: Where): Promise<Ended> {
  const began = performance.now();
  const child = startGroup(command, args, {
    cwd: where.cwd,
    env: { PATH: process.env.PATH, HOME: where.cwd, ...quiet, ...where.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const timer = setTimeout(() => {
    if (child.pid !== undefined) {
      process.kill(-child.pid, 'SIGKILL');
    }
  }, where.mostMs);
  try {
    const [status] = (await once(child, 'close')) as [number | null];
    return { status, output, durationMs: performance.now() - began };
  } finally {
    clearTimeout(timer);
  }
}

/** The report that a command wrote; `otherwise` if it wrote none. */
export const readReport = <T>(path: string, otherwise: T): T =>
  existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as T) : otherwise;
