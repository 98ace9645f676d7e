// Runs the load scripts as users do, by `npm run load` or with k6 alone, in a folder of their own.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createReference, type ReferenceOptions } from '../../fixtures/reference/deployment.ts';
import { listen } from '../../fixtures/reference/listen.ts';
import { findK6 } from '../../load/runner/find-k6.ts';
import { NODE_COMPILE_CACHE } from '../e2e/run-suite.ts';
import { newFolder } from '../new-folder.ts';

export const repository = resolve(import.meta.dirname, '../..');
export const scriptFile = (name: string): string => join(repository, 'load/scripts', `${name}.ts`);

export type Variables = Readonly<Record<string, string>>;

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly folder: string;
}

interface Options {
  /** Of this process's environment, only PATH and HOME are passed on. */
  readonly env?: Variables;
  readonly folder?: string;
  readonly onError?: (text: string, child: ChildProcess) => void;
}

async function run(command: string, args: readonly string[], options: Options): Promise<Ended> {
  const { env = {}, folder = newFolder(), onError } = options;
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(command, args, { cwd: folder, env: { PATH, HOME, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk);
    onError?.(stderr, child);
  });
  const status = await new Promise<number | null>((ended) => {
    child.once('close', ended);
  });
  return { status, stdout, stderr, folder };
}

/** k6 alone. */
export async function runK6(args: readonly string[], options: Options = {}): Promise<Ended> {
  const { path } = await findK6({ env: process.env, say: () => {} });
  return run(path, args, { ...options, env: { K6_NO_USAGE_REPORT: 'true', ...options.env } });
}

interface Report {
  readonly conformant: boolean | null;
  readonly clauses: readonly { readonly id: string; readonly verdict: string }[];
  readonly trace: Readonly<Record<string, number>> & { readonly partial: boolean };
}

/** `npm run load`; `report` is load-NAME.json, null if there is none. */
export async function runLoad(
  args: readonly string[],
  options: Options = {},
): Promise<Ended & { readonly report: Report | null; readonly verdicts: Variables }> {
  const env = { NODE_COMPILE_CACHE, REPORTS_DIR: 'reports', ...options.env };
  const ended = await run(process.execPath, [join(repository, 'cli/load.ts'), ...args], { ...options, env });
  const file = join(ended.folder, 'reports', `load-${args[0]}.json`);
  const report = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : null;
  const verdicts = Object.fromEntries((report?.clauses ?? []).map(({ id, verdict }) => [id, verdict]));
  return { ...ended, report, verdicts };
}

/** Serves a reference while `body` runs, and gives it the settings that point a run at it. */
export async function withReference<T>(
  options: ReferenceOptions,
  body: (env: Variables, close: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const reference = createReference(options);
  const { urls, close } = await listen(reference);
  const { ENTERPRISE_API_KEY: _, ...settings } = reference.settings;
  try {
    return await body({ ...settings, ...urls }, close);
  } finally {
    await close();
  }
}
