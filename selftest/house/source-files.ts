import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { posix, resolve } from 'node:path';

const root = `${resolve(import.meta.dirname, '../..')}/`;

/** Whoever owns the folder: a checkout is often not the runner's own. */
const listing = ['-c', 'safe.directory=*', 'ls-files', '-co', '--exclude-standard'];

/** The repository's files (tracked, or new and not ignored) that still exist, as paths from its root. */
export const files: readonly string[] = execFileSync('git', listing, { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && existsSync(root + file));

/** What is made of a file, once: several tests look at all of them. */
function once<T>(make: (file: string) => T): (file: string) => T {
  const made = new Map<string, T>();
  return (file) => {
    const known = made.get(file) ?? make(file);
    made.set(file, known);
    return known;
  };
}

export const textOf = once((file) => readFileSync(root + file, 'utf8'));

/** A file's code without comments: those may speak of what the code does not do. */
export const codeOf = once((file) =>
  textOf(file)
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(^|\s)\/\/ .*$/gm, ''),
);

/** Files below any of the folders, with one of the endings. */
export const filesIn = (folders: readonly string[], ending: RegExp = /\.[jt]s$/): string[] =>
  files.filter(
    (file) => ending.test(file) && folders.some((folder) => file === folder || file.startsWith(`${folder}/`)),
  );

/** A statement's end, or an import() anywhere; strings that hold code do not begin a line with it. */
const statement = /^(?:import|export)\s[^'"`;=(]*?['"]([^'"\s]+)['"];?$|\bimport\(['"]([^'"\s]+)['"]\)/gm;

/** What a file imports: a path from the root, or the name of a library or built-in. */
export const importsOf = once((file): readonly string[] =>
  [...textOf(file).matchAll(statement)]
    .map(([, stated, called]) => stated ?? called ?? '')
    .map((name) => (name.startsWith('.') ? posix.join(posix.dirname(file), name) : name)),
);
