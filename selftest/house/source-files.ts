import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { posix, resolve } from 'node:path';

const root = `${resolve(import.meta.dirname, '../..')}/`;

/** Allows every owner of the folder, since a checkout often belongs to another user. */
const listing = ['-c', 'safe.directory=*', 'ls-files', '-co', '--exclude-standard'];

/** The repository's files (tracked, or new and not ignored) that still exist, as paths from its root. */
export const files: readonly string[] = execFileSync('git', listing, { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && statSync(root + file, { throwIfNoEntry: false })?.isFile() === true);

/** All files of code in folders. */
export const sources = files.filter((file) => /\.[cm]?[jt]sx?$/.test(file) && file.includes('/'));

/** Caches a value for each file, since several tests read all files. */
function once<T>(make: (file: string) => T): (file: string) => T {
  const made = new Map<string, T>();
  return (file) => {
    const known = made.get(file) ?? make(file);
    made.set(file, known);
    return known;
  };
}

export const textOf = once((file) => readFileSync(root + file, 'utf8'));

/** A file's code without comments, which may mention what code must not do. */
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

/**
 * The end of an import or export statement, or an import() anywhere. Code in strings does not begin a line with one.
 */
const statement =
  /^(?:import|export)\s[^'"`;=(]*?['"]([^'"\s]+)['"](?: with \{[^}]*\})?;?$|\bimport\(['"]([^'"\s]+)['"]\)/gm;

/** The imports of a file: paths from the root, or names of libraries and built-in modules. */
export const importsOf = once((file): readonly string[] =>
  [...textOf(file).matchAll(statement)]
    .map(([, stated, called]) => stated ?? called ?? '')
    .map((name) => (name.startsWith('.') ? posix.join(posix.dirname(file), name) : name)),
);
