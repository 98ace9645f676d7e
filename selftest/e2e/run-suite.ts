import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { newFolder } from '../new-folder.ts';

const root = resolve(import.meta.dirname, '../..');

/** A run of a command that has ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Where it ran. */
  readonly folder: string;
  /** Every report, by file name. */
  readonly reports: ReadonlyMap<string, string>;
}

/** A running command. */
export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** With a compile cache, the code of a command loads in a third of the time. */
const NODE_COMPILE_CACHE = join(root, 'node_modules/.cache/compiled');

/** Starts a script of the project with these settings only, in a new folder. */
export const start = (
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd = newFolder(),
): Started => startProgram(process.execPath, [join(root, script), ...args], { NODE_COMPILE_CACHE, ...env }, cwd);

/** Starts any program in a folder, with these settings only. */
export function startProgram(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd: string,
): Started {
  const child = spawn(program, args, { cwd, env: { PATH: process.env.PATH, ...env } });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    output.stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    output.stderr += chunk.toString();
  });
  const ended = new Promise<Ended>((done, fail) => {
    child.on('error', fail);
    child.on('close', (code) => {
      done({ code, ...output, folder: cwd, reports: reportsIn(join(cwd, 'reports/latest')) });
    });
  });
  return { child, ended };
}

function reportsIn(folder: string): ReadonlyMap<string, string> {
  try {
    return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  } catch {
    return new Map();
  }
}
