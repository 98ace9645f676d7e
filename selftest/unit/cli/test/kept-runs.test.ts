import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keepWholeRun } from '../../../../cli/test/kept-runs.ts';
import { jsonReport } from '../../../../reports/json.ts';
import type { Run } from '../../../../results/verdict.ts';
import { newFolder } from '../../../new-folder.ts';
import { resultsOf, runOf } from '../../reports/sample.ts';

const written = JSON.parse(jsonReport(runOf({ results: resultsOf({}) }))) as Run;
const report = (rest: object = {}): object => ({
  ...written,
  startedAt: '2026-11-05T10:20:30.000Z',
  clauses: written.clauses.map((row) => ({ ...row, ...rest })),
});

/** Begins a run where the reports of an earlier one are. Returns what is kept then. */
function begin(at: string, before: object): string[] {
  const folder = join(at, 'latest');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'conformance.json'), JSON.stringify(before));
  keepWholeRun(folder, folder);
  return existsSync(join(at, 'runs')) ? readdirSync(join(at, 'runs')).toSorted() : [];
}

test('the reports of a whole run are kept in a folder of its own; the oldest go, and nothing else does', () => {
  const at = newFolder();
  expect(begin(at, report())).toEqual(['2026-11-05T10-20-30.000Z']);
  expect(readdirSync(join(at, 'runs', '2026-11-05T10-20-30.000Z'))).toEqual(['conformance.json']);
  mkdirSync(join(at, 'runs', '0-mine'));
  const kept = Array.from({ length: 25 }, (_, day) =>
    begin(at, { ...report(), startedAt: `2027-01-10T00:${10 + day}:00Z` }),
  );
  expect([kept.at(-1)?.slice(0, 2), kept.at(-1)?.length]).toEqual([['0-mine', '2027-01-10T00-15-00Z'], 21]);
});

test.for([
  ['another file', {}],
  ['a run that could not be judged', { ...report(), conformant: null }],
  ['a run that was stopped', report({ cutShort: true })],
  ['a part', report({ outside: 'selection' })],
] as const)('those of %s are not', ([, before]) => {
  expect(begin(newFolder(), before)).toEqual([]);
});
