import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { codeOf, importsOf, sources, textOf } from './source-files.ts';

const exported = /^export (?:async )?(?:function\*?|const|let|class|interface|type) (\w+)/gm;
const imported = /\{([^{}]*)\}\s*(?:from |= await import\()'(\.[^']+)'|await import\('(\.[^']+)'\)\)\.(\w+)/g;

/** Files whose exports k6, Vitest or users read, and files that run as a worker or a process of their own. */
const entryPoints =
  /^(?:load\/scripts\/|(?:webhooks|limits)\/index\.ts|suites\/vitest\.ts|selftest\/(?:scratch|tally|proof\/worker)\.ts)/;

const isSelftest = (file: string): boolean => file.startsWith('selftest/');
const product = sources.filter((file) => !isSelftest(file));

/** The names that the files import, each behind the file from which. */
const importedBy = (importers: readonly string[]): ReadonlySet<string> =>
  new Set(
    importers.flatMap((file) =>
      [...codeOf(file).matchAll(imported)].flatMap(([, list = '', from, called = from, member = '']) => {
        const path = posix.join(posix.dirname(file), called ?? '');
        const names = list.split(',').map((one) => /(?:type\s+)?(\w+)/.exec(one.trim())?.[1]);
        return [...names, member].map((name) => `${path} ${name}`);
      }),
    ),
  );

/** A file's code without templates: the snippets in them export to their users. */
const ownCode = (file: string): string => codeOf(file).replace(/`[^`]*`/g, '');

/** The exports of some files, each behind its file. */
const exportsOf = (files: readonly string[]): string[] =>
  files.flatMap((file) => [...ownCode(file).matchAll(exported)].map(([, name]) => `${file} ${name}`));

const exporting = sources.filter((file) => file.endsWith('.ts') && !entryPoints.test(file));

test('every export is imported somewhere', () => {
  const all = importedBy(sources);
  expect(exportsOf(exporting).filter((one) => !all.has(one))).toEqual([]);
});

// What the self-test imports to look inside is in use in its own file.
test('what only the self-test imports is used in its own file', () => {
  const imports = importedBy(product);
  const isUsedInside = (one: string): boolean => {
    const [file = '', name] = one.split(' ');
    return (ownCode(file).match(new RegExp(`\\b${name}\\b`, 'g')) ?? []).length > 1;
  };
  const own = exportsOf(exporting.filter((file) => !isSelftest(file)));
  expect(own.filter((one) => !imports.has(one) && !isUsedInside(one))).toEqual([]);
});

test('every file is imported, run by a command, an entry point or a test', () => {
  const used = new Set(sources.flatMap(importsOf));
  const usedByProduct = new Set(product.flatMap(importsOf));
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Readonly<Record<string, string>> };
  const commands = Object.values(scripts).join(' ').split(' ');
  const isRun = (file: string): boolean => commands.includes(file) || /\.(?:test|d)\.ts$/.test(file);
  const isImported = (file: string): boolean => (isSelftest(file) ? used : usedByProduct).has(file);
  expect(exporting.filter((file) => !isImported(file) && !isRun(file))).toEqual([]);
});
