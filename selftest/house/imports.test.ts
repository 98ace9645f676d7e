import { describe, expect, test } from 'vitest';
import { clauses } from '../../contract/clauses.ts';
import { codeOf, files, filesIn, importsOf } from './source-files.ts';

/** Where each room's files may import from, besides the room itself and libraries. */
const rooms: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  fixtures: ['contract'],
  'fixtures/reference': ['contract'],
  'suites/kit': ['contract'],
  'suites/developer': ['contract', 'suites/kit', 'fixtures', 'load/judge', 'load/procedure'],
  'suites/workspace': ['contract', 'suites/kit', 'fixtures', 'load/judge', 'load/procedure'],
  'suites/receiver': ['suites/kit'],
  reports: ['contract', 'suites/kit'],
  'load/judge': ['contract'],
  'load/procedure': ['contract', 'load/judge'],
  'load/seam': ['contract', 'load/judge'],
  'load/scripts': ['contract', 'load/judge', 'load/procedure', 'load/seam'],
};

/** Rooms inside others have rules of their own. */
const insideOthers = ['fixtures/reference'];
const within = (path: string, folders: readonly string[]): boolean => folders.some((folder) => path.startsWith(`${folder}/`));
const isOurs = (path: string): boolean => files.includes(path);
const ofRoom = (room: string): string[] =>
  filesIn([room]).filter((file) => insideOthers.includes(room) || !within(file, insideOthers));

describe('imports point one way', () => {
  test.for(Object.entries(rooms))('%s', ([room, allowed]) => {
    const sources = ofRoom(room);
    expect(sources.length).toBeGreaterThan(0);
    const others = (file: string): string[] => importsOf(file).filter((path) => isOurs(path) && !within(path, [room, ...allowed]));
    expect(sources.flatMap((file) => others(file).map((path) => `${file} imports ${path}`))).toEqual([]);
  });

  test('the suites take bodies from fixtures, and nothing of the reference', () => {
    const taken = filesIn(['suites/developer', 'suites/workspace', 'suites/kit', 'reports']).flatMap(importsOf);
    expect(taken.filter((path) => within(path, insideOthers))).toEqual([]);
  });

  test('one suite does not know the other', () => {
    expect(filesIn(['suites/developer']).flatMap(importsOf).filter((path) => within(path, ['suites/workspace']))).toEqual([]);
    expect(filesIn(['suites/workspace']).flatMap(importsOf).filter((path) => within(path, ['suites/developer']))).toEqual([]);
  });

  test('nothing imports selftest', () => {
    const outside = files.filter((file) => /\.[jt]s$/.test(file) && !file.startsWith('selftest/'));
    expect(outside.filter((file) => importsOf(file).some((path) => path.startsWith('selftest/')))).toEqual([]);
  });

  test('every import names a file that exists, or a library', () => {
    const broken = (file: string): string[] => importsOf(file).filter((path) => /^[\w.-]+\/.*\.[jt]s$/.test(path) && !isOurs(path));
    expect(filesIn(Object.keys(rooms)).flatMap((file) => broken(file).map((path) => `${file} imports ${path}`))).toEqual([]);
  });
});

test('contract uses no library, no Node, no DOM', () => {
  expect(filesIn(['contract']).flatMap(importsOf).filter((path) => !path.startsWith('contract/'))).toEqual([]);
});

test('the kit names no clause', () => {
  const named = filesIn(['suites/kit']).flatMap((file) => clauses.filter(({ id }) => codeOf(file).includes(id)).map(({ id }) => `${file} names ${id}`));
  expect(named).toEqual([]);
});
