import { expect, test } from 'vitest';
import { clauses } from '../../contract/clauses.ts';
import type { Checks } from '../../suites/engine/check.ts';
import { codeOf, files, filesIn } from './source-files.ts';

const chapterOf = (id: string): string => `suites/${id.split('.').slice(0, 2).join('/')}.ts`;
const chapters = Map.groupBy(
  clauses.map(({ id }) => id as string),
  chapterOf,
);

test('every chapter of the contract has a file of its name', () => {
  expect([...chapters.keys()].filter((file) => !files.includes(file))).toEqual([]);
});

test.for([...chapters])('%s holds the checks of its clauses, and no others', async ([file, ids]) => {
  const chapter = file.split('/').at(-1)?.replace('.ts', '') ?? '';
  const module: Record<string, Checks> = await import(`../../${file}`);
  expect(Object.keys(module[chapter] ?? {}).toSorted()).toEqual(ids.toSorted());
});

test('beside the chapters lie the API, the suite, and what supports them', () => {
  const others = filesIn(['suites/developer', 'suites/workspace']).filter(
    (file) => !chapters.has(file) && !/^suites\/\w+\/(api|suite|support\/(\w+\/)?[\w-]+)\.ts$/.test(file),
  );
  expect(others).toEqual([]);
});

test('few files read answers as they came: secrets, ids and tags for calls, next pages, and rows compared by their text', () => {
  const readers = filesIn(['suites', 'cli', 'reports', 'results', 'load']).filter((file) =>
    /\b(unredacted|rawRows)\(/.test(codeOf(file)),
  );
  expect(readers).toEqual([
    'suites/developer/support/data/creations.ts',
    'suites/developer/support/filters/filtered.ts',
    'suites/developer/support/filters/keywords.ts',
    'suites/developer/support/keys/exposed-secret.ts',
    'suites/developer/support/keys/own-key.ts',
    'suites/developer/support/rotation/rotated-id.ts',
    'suites/session/reading/pages.ts',
    'suites/session/reading/rows.ts',
    'suites/shared/clean-up/ineffective.ts',
    'suites/shared/clean-up/sweep.ts',
    'suites/shared/ids/answer-ids.ts',
    'suites/shared/ids/exemplar.ts',
    'suites/shared/ids/found-by-words.ts',
    'suites/shared/ids/identify.ts',
    'suites/shared/ids/listed.ts',
    'suites/shared/ids/vetoes.ts',
    'suites/shared/ids/weigh.ts',
    'suites/shared/lists/beyond-pages.ts',
    'suites/shared/lists/list-search.ts',
    'suites/shared/records.ts',
    'suites/workspace/support/changes/conditions.ts',
    'suites/workspace/support/events/registrations.ts',
    'suites/workspace/support/records/details.ts',
    'suites/workspace/support/records/judged-lists.ts',
    'suites/workspace/support/records/judged-records.ts',
  ]);
});
