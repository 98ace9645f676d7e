import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { files, filesIn, importsOf } from './source-files.ts';

const unit = 'selftest/unit';
const tests = filesIn([unit], /\.test\.ts$/);
const folderOf = (file: string): string => posix.relative(unit, posix.dirname(file));

test('a unit test that imports a file of its own name is in the same folder below unit/', () => {
  const misplaced = tests.flatMap((file) => {
    const name = posix.basename(file).replace('.test.ts', '.ts');
    const tested = importsOf(file).filter((path) => posix.basename(path) === name && !path.startsWith('selftest/'));
    const isAtPlace = tested.length === 0 || tested.some((path) => posix.dirname(path) === folderOf(file));
    return isAtPlace ? [] : [`${file} tests ${tested.join()}`];
  });
  expect(tests.length).toBeGreaterThan(150);
  expect(misplaced).toEqual([]);
});

test('unit/ has no folder with tests that the tree does not have', () => {
  const hasFolder = (folder: string): boolean => files.some((file) => file.startsWith(`${folder}/`));
  expect(tests.filter((file) => !hasFolder(folderOf(file)))).toEqual([]);
});
