import { posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { clauses } from '../../contract/clauses.ts';
import { codeOf, files, filesIn, importsOf } from './source-files.ts';

/**
 * The folders from which each folder's files may import, in addition to themselves and libraries. A file belongs to the
 * listed folder with the longest path that contains it; files outside of all listed folders are refused.
 */
const rooms: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries({
    contract: '',
    common: 'contract',
    results: 'contract common',
    settings: 'contract common',
    limits: 'contract common',
    webhooks: 'contract common',
    'suites/session': 'contract common results settings webhooks',
    'suites/engine': 'contract common results suites/session',
    'suites/shared': 'contract common results settings limits fixtures suites/session suites/engine',
    'suites/developer': 'contract common results limits fixtures suites/session suites/engine suites/shared',
    'suites/workspace': 'contract common results settings webhooks fixtures suites/session suites/engine suites/shared',
    'suites/run': 'contract common results settings webhooks suites/session suites/engine suites/shared',
    suites: 'suites/run',
    fixtures: 'contract',
    'fixtures/reference': 'contract',
    reports: 'contract common results',
    'load/seam': 'contract limits',
    'load/scripts': 'contract limits load/seam',
    load: 'contract common results settings limits reports load/seam',
    cli: 'contract common results settings webhooks fixtures/reference reports load load/seam suites/session suites/engine suites/shared suites/developer suites/workspace suites/run',
  }).map(([room, others]) => [room, others.split(' ').filter(Boolean)]),
);

/**
 * The folders of a large room, and from which others of that room each may import; `.` is the room's own folder. What
 * they may import from other rooms is the room's. Folders that are not listed are refused.
 */
const folders: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'suites/session': {
    '.': 'evidence ledger pace transport',
    evidence: '. transport',
    ledger: 'reading',
    pace: '. evidence reading',
    reading: '. pace',
    transport: '.',
  },
  'suites/shared': {
    '.': 'ids lists',
    'clean-up': '. ids lists',
    complaints: '',
    ids: '. clean-up lists',
    limits: '. refusals',
    lists: '. clean-up',
    refusals: '. complaints unknown-ids',
    'unknown-ids': '. ids lists',
  },
  'suites/developer': {
    '.': 'support support/bodies support/budgets support/calls support/data support/filters support/keys support/lives support/records support/rotation',
    support: '',
    'support/bodies': '',
    'support/budgets': 'support/bodies support/calls support/keys',
    'support/calls': 'support/bodies support/data support/keys support/rotation',
    'support/data': 'support/keys',
    'support/filters': 'support/data support/keys',
    'support/keys': 'support/bodies',
    'support/lives': 'support/budgets support/keys support/rotation',
    'support/records': 'support/bodies support/calls support/data support/filters',
    'support/rotation': 'support/bodies support/data support/keys',
  },
  'suites/workspace': {
    '.': 'support support/budgets support/changes support/deletions support/events support/permissions support/records',
    support: '',
    'support/budgets': 'support support/changes support/records',
    'support/changes': 'support support/records',
    'support/deletions': 'support support/changes support/events support/records',
    'support/events': 'support support/deletions support/permissions support/records',
    'support/permissions': 'support support/changes support/deletions support/events support/records',
    'support/records': 'support support/changes support/deletions support/events',
  },
};

/** Folders that may import anything. */
const free = ['selftest', 'tools'];
const names = Object.keys(rooms).sort((a, b) => b.length - a.length);
const roomOf = (path: string): string | undefined => [...names, ...free].find((room) => path.startsWith(`${room}/`));
const sources = files.filter((file) => /\.[jt]s$/.test(file) && file.includes('/') && !file.startsWith('.'));

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

describe('imports point one way', () => {
  test('every folder with code is in the table of rooms', () => {
    expect(sources.filter((file) => roomOf(file) === undefined)).toEqual([]);
    expect(Object.keys(rooms).filter((room) => !sources.some((file) => roomOf(file) === room))).toEqual([]);
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

  test.each(Object.entries(folders))('%s has no other folders, and no other arrows between them', (room, table) => {
    const folderOf = (path: string): string => posix.relative(room, posix.dirname(path)) || '.';
    const arrows = sources
      .filter((file) => roomOf(file) === room)
      .flatMap((file) =>
        [file, ...importsOf(file).filter((path) => roomOf(path) === room)].map(
          (path) => `${folderOf(file)} → ${folderOf(path)}`,
        ),
      );
    const listed = Object.entries(table).flatMap(([folder, others]) =>
      [folder, ...others.split(' ').filter(Boolean)].map((other) => `${folder} → ${other}`),
    );
    expect([...new Set(arrows)].sort()).toEqual(listed.sort());
  });

  test('rooms of suites/ without a table have no folders', () => {
    const rest = sources.filter((file) => file.startsWith('suites/') && folders[roomOf(file) ?? ''] === undefined);
    expect(rest.filter((file) => posix.dirname(file) !== roomOf(file))).toEqual([]);
  });

  test('no file imports itself in a circle', () => {
    expect(circles()).toEqual([]);
  });

  test('every import names a file that exists, or a library', () => {
    const isPath = (path: string): boolean => /^[\w.-]+\/.*\.[jt]s$/.test(path) && roomOf(path) !== undefined;
    expect(sources.flatMap((file) => importsOf(file).filter((path) => isPath(path) && !files.includes(path)))).toEqual(
      [],
    );
  });
});

const exported = /^export (?:async )?(?:function\*?|const|let|interface|type) (\w+)/gm;
const imported = /\{([^}]*)\} (?:from |= await import\()'(\.[^']+)'/g;

test('every export is imported somewhere', () => {
  const named = new Map<string, string[]>();
  for (const file of sources) {
    for (const [, names = '', path = ''] of codeOf(file).matchAll(imported)) {
      const from = posix.join(posix.dirname(file), path);
      named.set(from, [...(named.get(from) ?? []), ...(names.match(/\w+/g) ?? [])]);
    }
  }
  // Files that k6 or Vitest runs export to these; snippets in templates export to their users.
  const unused = [...named].flatMap(([file, names]) =>
    [
      ...codeOf(file)
        .replace(/`[^`]*`/g, '')
        .matchAll(exported),
    ].flatMap(([, name = '']) => (names.includes(name) ? [] : `${file} ${name}`)),
  );
  expect(unused).toEqual([]);
});

/** Groups of files that import each other, types included. */
function circles(): string[][] {
  const graph = new Map(sources.map((file) => [file, importsOf(file).filter((path) => files.includes(path))]));
  const reach = (from: string): Set<string> => {
    const seen = new Set<string>();
    const queue = [...(graph.get(from) ?? [])];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      if (!seen.has(next)) {
        seen.add(next);
        queue.push(...(graph.get(next) ?? []));
      }
    }
    return seen;
  };
  const reached = new Map(sources.map((file) => [file, reach(file)]));
  const together = (file: string): string[] =>
    sources.filter((other) => reached.get(file)?.has(other) && reached.get(other)?.has(file));
  const groups = sources.filter((file) => reached.get(file)?.has(file)).map((file) => together(file).join(' '));
  return [...new Set(groups)].map((group) => group.split(' '));
}

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
