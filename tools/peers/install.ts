import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const pinned = resolve(import.meta.dirname, 'pinned');

/** The folder for everything that a bench creates. Git ignores it, and it can be deleted. */
export const cache = resolve(import.meta.dirname, '.cache');

/** The command of a tool from npm. */
export const nodeTool = (name: string): string => join(cache, 'npm/node_modules/.bin', name);
/** The command of a tool from PyPI. */
export const pythonTool = (name: string): string => join(cache, 'python/bin', name);

const textOf = (name: string): string => readFileSync(join(pinned, name), 'utf8');

function mustRun(command: string, args: readonly string[], cwd: string): void {
  const { status, error } = spawnSync(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) {
    throw new Error(`Cannot install the peers: ${command} ${args.join(' ')} ended with ${error?.message ?? status}`);
  }
}

/** Fills a folder of the cache, unless it was filled from the same files before. */
function once(folder: string, files: readonly string[], fill: (path: string) => void): void {
  const path = join(cache, folder);
  const stamp = createHash('sha256').update(files.map(textOf).join('\n')).digest('hex');
  const stampFile = join(path, '.filled-from');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) {
    return;
  }
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
  fill(path);
  writeFileSync(stampFile, stamp);
}

/** Installs the tools from npm, as pinned, into the cache. None of their install scripts runs. */
export function installNodeTools(): void {
  const files = ['package.json', 'package-lock.json', '.npmrc'];
  once('npm', files, (path) => {
    for (const file of files) {
      cpSync(join(pinned, file), join(path, file));
    }
    mustRun('npm', ['ci', '--ignore-scripts', '--loglevel=error'], path);
  });
}

/** Installs the tools from PyPI, as pinned, into a virtual environment. Needs Python 3.10 or newer. */
export function installPythonTools(): void {
  once('python', ['requirements.txt'], (path) => {
    mustRun('python3', ['-m', 'venv', path], cache);
    mustRun(join(path, 'bin/pip'), ['install', '--quiet', '--no-deps', '-r', join(pinned, 'requirements.txt')], cache);
  });
}

/** The pinned version of a tool from npm or PyPI. */
export function versionOf(name: string): string {
  const { dependencies } = JSON.parse(textOf('package.json')) as { dependencies: Readonly<Record<string, string>> };
  const python = textOf('requirements.txt').match(new RegExp(`^${name}==(\\S+)`, 'm'));
  return dependencies[name] ?? python?.[1] ?? 'not pinned';
}
