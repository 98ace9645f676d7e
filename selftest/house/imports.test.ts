import { expect, test } from 'vitest';
import { clauses } from '../../contract/clauses.ts';
import { codeOf, files, filesIn, importsOf, sources } from './source-files.ts';

/**
 * The folders in levels, the most basic first: a file imports from its own folder and from earlier levels. It belongs to
 * the listed folder with the longest path that contains it.
 */
const levels: readonly (readonly string[])[] = [
  ['contract'],
  ['common'],
  ['results', 'settings', 'limits', 'webhooks'],
  ['reports', 'fixtures/reference', 'load/seam', 'suites/reading'],
  ['fixtures', 'load/judge', 'suites/session'],
  ['load', 'load/scripts', 'suites/engine'],
  ['suites/records'],
  ['suites/shared'],
  ['suites/developer', 'suites/workspace'],
  ['suites/recorded', 'suites/run'],
  ['suites'],
  ['cli'],
  ['bin', 'tools'],
  ['selftest'],
];
const folders = levels.flat().toSorted((one, other) => other.length - one.length);
const folderOf = (path: string): string => folders.find((folder) => path.startsWith(`${folder}/`)) ?? path;
const levelOf = (folder: string): number => levels.findIndex((level) => level.includes(folder));

test('every file with code is in a listed folder', () => {
  expect(sources.filter((file) => levelOf(folderOf(file)) === -1)).toEqual([]);
  expect(folders.filter((folder) => !sources.some((file) => folderOf(file) === folder))).toEqual([]);
});

test('imports point one way', () => {
  const isStray = (from: string, to: string): boolean =>
    from !== 'tools' && folderOf(to) !== from && levelOf(folderOf(to)) >= levelOf(from);
  expect(
    sources.flatMap((file) =>
      importsOf(file)
        .filter((path) => files.includes(path) && isStray(folderOf(file), path))
        .map((path) => `${file} imports ${path}`),
    ),
  ).toEqual([]);
});

test.for<[says: string, folders: readonly string[], inside: (path: string) => boolean]>([
  [
    'contract and limits use no library, no Node, no DOM',
    ['contract', 'limits'],
    (path) => /^(contract|limits)\/|^common\/(words|semaphore)\.ts$/.test(path),
  ],
  [
    'the reference shares with the suites the contract alone',
    ['fixtures/reference'],
    (path) => !files.includes(path) || /^(contract|fixtures\/reference)\//.test(path),
  ],
])('%s', ([, importing, inside]) => {
  const imports = filesIn(importing).flatMap(importsOf);
  expect(imports.filter((path) => !inside(path))).toEqual([]);
});

test('what both documents promise names neither API: what differs is in the Api value', () => {
  const shared = filesIn(['suites/session', 'suites/engine', 'suites/shared']);
  expect(shared.filter((file) => /(['"`])(?:developer|workspace)\1/.test(codeOf(file)))).toEqual([]);
});

test('code that runs checks names no clause', () => {
  const carriers = filesIn(['common', 'results', 'settings', 'suites/session', 'suites/engine', 'limits']);
  const named = carriers.flatMap((file) =>
    clauses.filter(({ id }) => codeOf(file).includes(id)).map(({ id }) => `${file} names ${id}`),
  );
  expect(named).toEqual([]);
});
