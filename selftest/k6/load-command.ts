// Runs `npm run load` as a user does: in a process and a folder of its own, against a reference on loopback.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createReference, type ReferenceOptions } from '../../fixtures/reference/deployment.ts';
import { listen } from '../../fixtures/reference/listen.ts';
import { NODE_COMPILE_CACHE } from '../e2e/run-suite.ts';
import { newFolder } from '../new-folder.ts';

export const repository = fileURLToPath(new URL('../../', import.meta.url));

interface Report {
  readonly format: number;
  readonly script: string;
  readonly conformant: boolean | null;
  readonly reason: string;
  readonly clauses: readonly {
    id: string;
    level: string;
    verdict: string;
    findings: readonly { message: string }[];
    observed: unknown;
  }[];
  readonly trace: Readonly<Record<string, number>> & { readonly partial: boolean };
  readonly notes: readonly string[];
}

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** load-NAME.json; null if there is none. */
  readonly report: Report | null;
  /** The run's working folder: reports in `reports`, ledgers in `.ledger`. */
  readonly folder: string;
}

interface Options {
  /** Settings and other variables. Of this process's environment, only PATH and HOME are passed on. */
  readonly env?: Readonly<Record<string, string>>;
  /** The folder of an earlier run; a new one if not given. */
  readonly folder?: string;
  readonly onStart?: (child: ChildProcess) => void;
  readonly onError?: (text: string, child: ChildProcess) => void;
}

function reportOf(folder: string, name: string): Report | null {
  const file = join(folder, 'reports', `load-${name}.json`);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : null;
}

/** Runs the command to its end. */
export async function runLoad(
  args: readonly string[],
  { env = {}, folder = newFolder(), onStart, onError }: Options = {},
): Promise<Ran> {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [join(repository, 'cli/load.ts'), ...args], {
    cwd: folder,
    env: { PATH, HOME, NODE_COMPILE_CACHE, REPORTS_DIR: 'reports', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk);
    onError?.(stderr, child);
  });
  onStart?.(child);
  const status = await new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  return { status, stdout, stderr, folder, report: reportOf(folder, args[0] ?? '') };
}

/** Serves a reference while `body` runs, and gives it the settings that point a run at it. */
export async function withReference<T>(
  options: ReferenceOptions & { readonly latencyMs?: number },
  body: (env: Record<string, string>, close: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const { latencyMs, ...rest } = options;
  const reference = createReference(rest);
  const { urls, close } = await listen(reference, latencyMs === undefined ? {} : { latencyMs });
  try {
    return await body({ ...reference.settings, ...urls }, close);
  } finally {
    await close();
  }
}

/** The verdict of each clause that the run judged, by id. */
export const verdictsOf = (ran: Ran): Record<string, string> =>
  Object.fromEntries((ran.report?.clauses ?? []).map(({ id, verdict }) => [id, verdict]));

/** Command lines of all processes that this user may see. */
export function commandLines(): string {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, 'latin1');
      } catch {
        return '';
      }
    })
    .join('\n');
}

/** Settings without some of them. */
export const without = (env: Record<string, string>, ...names: string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));
