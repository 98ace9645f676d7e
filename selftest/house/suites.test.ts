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

test.for([...chapters])('%s has the checks of its clauses, and no others', async ([file, ids]) => {
  const chapter = file.split('/').at(-1)?.replace('.ts', '') ?? '';
  const module: Record<string, Checks> = await import(`../../${file}`);
  expect(Object.keys(module[chapter] ?? {}).toSorted()).toEqual(ids.toSorted());
});

test('besides the chapters there are only the API, the suite, and folders of what they share', () => {
  const others = filesIn(['suites/developer', 'suites/workspace']).filter(
    (file) =>
      !chapters.has(file) && !/^suites\/\w+\/(api|suite|(support|filters|keys)\/(\w+\/)?[\w-]+)\.ts$/.test(file),
  );
  expect(others).toEqual([]);
});

test('only a few files read unredacted answers: for secrets, ids, tags, next pages and the comparison of rows', () => {
  const readers = filesIn(['suites', 'cli', 'reports', 'results', 'load']).filter((file) =>
    /\b(unredacted|rawRows)\(/.test(codeOf(file)),
  );
  expect(readers).toEqual([
    'suites/developer/filters/keyword-reads.ts',
    'suites/developer/filters/record-sets.ts',
    'suites/developer/support/keys/exposed-secret.ts',
    'suites/developer/support/keys/run-key.ts',
    'suites/developer/support/records/creations.ts',
    'suites/developer/support/rotation/rotated-id.ts',
    'suites/session/reading/pages.ts',
    'suites/session/reading/rows.ts',
    'suites/shared/clean-up/entry-rows.ts',
    'suites/shared/clean-up/ineffective.ts',
    'suites/shared/ids/answer-ids.ts',
    'suites/shared/ids/found-by-words.ts',
    'suites/shared/ids/identify.ts',
    'suites/shared/ids/listed-confirmed-record.ts',
    'suites/shared/ids/listed.ts',
    'suites/shared/ids/own-row.ts',
    'suites/shared/ids/row-by-id.ts',
    'suites/shared/ids/secrets.ts',
    'suites/shared/ids/weigh.ts',
    'suites/shared/lists/beyond-pages.ts',
    'suites/shared/lists/list-search.ts',
    'suites/shared/records.ts',
    'suites/shared/unknown-ids/made-by-mistake.ts',
    'suites/workspace/support/changes/preconditions.ts',
    'suites/workspace/support/events/listed-secrets.ts',
    'suites/workspace/support/events/registrations.ts',
    'suites/workspace/support/records/details.ts',
    'suites/workspace/support/records/judge-lists.ts',
    'suites/workspace/support/records/judge-records.ts',
  ]);
});
