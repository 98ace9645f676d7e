import { describe, expect, test } from 'vitest';
import { clauses } from '../../contract/clauses.ts';
import { free, roomOf, rooms, sources } from './rooms.ts';
import { codeOf, files, filesIn, importsOf, notUnderstood } from './source-files.ts';

const strayArrows = (file: string): string[] => {
  const room = roomOf(file) ?? '';
  if (free.includes(room)) {
    return [];
  }
  const allowed = [room, ...(rooms[room] ?? [])];
  return importsOf(file)
    .filter((path) => files.includes(path) && !allowed.includes(roomOf(path) ?? ''))
    .map((path) => `${file} imports ${path}`);
};

/** Scripts of pages, which no file imports. */
const otherCode = ['reports/html/in-browser.js'];

describe('imports point one way', () => {
  test('every file in a room has a known ending, since others could import unseen', () => {
    const known = /\.(?:ts|m[jt]s|py|md|json|css|ya?ml|mod|sum|txt)$/;
    const inRooms = files.filter((file) => roomOf(file) !== undefined);
    expect(inRooms.filter((file) => !known.test(file))).toEqual(otherCode);
  });

  test('every folder with code is in the table of rooms', () => {
    expect(sources.filter((file) => roomOf(file) === undefined)).toEqual([]);
    expect(Object.keys(rooms).filter((room) => !sources.some((file) => roomOf(file) === room))).toEqual([]);
  });

  test('every import is understood', () => {
    const bound = sources.filter((file) => !free.includes(roomOf(file) ?? ''));
    expect(bound.flatMap(notUnderstood)).toEqual([]);
  });

  test('every import from another room is listed', () => {
    expect(sources.flatMap(strayArrows)).toEqual([]);
  });

  test('every listed arrow has an import', () => {
    const drawn = new Set(
      sources.flatMap((file) => importsOf(file).map((path) => `${roomOf(file)} → ${roomOf(path)}`)),
    );
    const listed = Object.entries(rooms).flatMap(([room, allowed]) => allowed.map((other) => `${room} → ${other}`));
    expect(listed.filter((arrow) => !drawn.has(arrow))).toEqual([]);
  });

  test('every import names a file that exists, or a library', () => {
    const isPath = (path: string): boolean => /^[\w.-]+\/.*\.[jt]s$/.test(path) && roomOf(path) !== undefined;
    expect(sources.flatMap((file) => importsOf(file).filter((path) => isPath(path) && !files.includes(path)))).toEqual(
      [],
    );
  });
});

test('contract and limits use no library, no Node, no DOM', () => {
  const inside = (path: string): boolean => /^(contract|limits)\/|^common\/words\.ts$/.test(path);
  expect(
    filesIn(['contract', 'limits'])
      .flatMap(importsOf)
      .filter((path) => !inside(path)),
  ).toEqual([]);
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
