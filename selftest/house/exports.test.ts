import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { codeOf, importsOf, sources, textOf } from './source-files.ts';

const exported = /^export (?:async )?(?:function\*?|const|let|class|interface|type) (\w+)/gm;
const imported = /\{([^{}]*)\}\s*(?:from |= await import\()'(\.[^']+)'|await import\('(\.[^']+)'\)\)\.(\w+)/g;

/** Files whose exports k6 or Vitest reads, and files that run as a worker or a process of their own. */
const entryPoints = /^(?:load\/scripts\/|(?:webhooks|limits)\/index\.ts|selftest\/(?:scratch|proof\/worker)\.ts)/;

const isSelftest = (file: string): boolean => file.startsWith('selftest/');
const product = sources.filter((file) => !isSelftest(file));

/** The names that the files import, by the file from which. */
function importedBy(importers: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const named = new Map<string, Set<string>>();
  for (const file of importers) {
    for (const [, list = '', from, called = from, member = ''] of codeOf(file).matchAll(imported)) {
      const path = posix.join(posix.dirname(file), called ?? '');
      const names = [...list.split(',').map((one) => /(?:type\s+)?(\w+)/.exec(one.trim())?.[1] ?? ''), member];
      named.set(path, new Set([...(named.get(path) ?? []), ...names]));
    }
  }
  return named;
}

/** A file's code without templates: the snippets in them export to their users. */
const ownCode = (file: string): string => codeOf(file).replace(/`[^`]*`/g, '');

const exportsOf = (file: string): string[] => [...ownCode(file).matchAll(exported)].map(([, name = '']) => name);

const exporting = sources.filter((file) => file.endsWith('.ts') && !entryPoints.test(file));

test('every export is imported somewhere', () => {
  const all = importedBy(sources);
  expect(
    exporting.flatMap((file) =>
      exportsOf(file)
        .filter((name) => !all.get(file)?.has(name))
        .map((name) => `${file} ${name}`),
    ),
  ).toEqual([]);
});

// What the self-test imports to look inside is in use in its own file.
test('what only the self-test imports is used in its own file', () => {
  const imports = importedBy(product);
  const isUsedInside = (file: string, name: string): boolean =>
    (ownCode(file).match(new RegExp(`\\b${name}\\b`, 'g')) ?? []).length > 1;
  const dead = exporting
    .filter((file) => !isSelftest(file))
    .flatMap((file) =>
      exportsOf(file)
        .filter((name) => !imports.get(file)?.has(name) && !isUsedInside(file, name))
        .map((name) => `${file} ${name}`),
    );
  expect(dead).toEqual([]);
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
