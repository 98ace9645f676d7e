import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { newFolder } from '../new-folder.ts';

const root = resolve(import.meta.dirname, '../..');

/** A running command, and what comes of it: also where it ran, and its reports by file name. */
export type Started = ReturnType<typeof startProgram>;
/** A run of a command that has ended. */
export type Ended = Awaited<Started['ended']>;

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
  folder: string,
) {
  const child = spawn(program, args, { cwd: folder, env: { PATH: process.env.PATH, ...env } });
  const ended = async () => {
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { code: code as number | null, stdout, stderr, folder, reports: reportsIn(join(folder, 'reports/latest')) };
  };
  return { child, ended: ended() };
}

function reportsIn(folder: string): ReadonlyMap<string, string> {
  const names = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  const files = names.flatMap((one) => (one.isFile() ? [one.name] : []));
  return new Map(files.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}
