import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keepWholeRun } from '../../../cli/test/kept-runs.ts';
import type { EarlierRun } from '../../../results/earlier.ts';
import { newFolder } from '../../new-folder.ts';

const startedAt = '2026-11-05T10:20:30.000Z';
const earlier = (rest: object = {}): EarlierRun =>
  ({ startedAt, conformant: false, clauses: [{}], ...rest }) as unknown as EarlierRun;

/** Begins a run where the reports of an earlier one are. Returns what is kept then. */
function begin(at: string, before: EarlierRun | null): string[] {
  const folder = join(at, 'latest');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'conformance.json'), String(before?.startedAt));
  keepWholeRun(folder, before, folder);
  return existsSync(join(at, 'runs')) ? readdirSync(join(at, 'runs')).toSorted() : [];
}

test('the reports of a whole run are kept in a folder of its own; the oldest go, and nothing else does', () => {
  const at = newFolder();
  expect(begin(at, earlier())).toEqual(['2026-11-05T10-20-30.000Z']);
  expect(readFileSync(join(at, 'runs', '2026-11-05T10-20-30.000Z', 'conformance.json'), 'utf8')).toBe(startedAt);
  mkdirSync(join(at, 'runs', '0-mine'));
  const kept = Array.from({ length: 25 }, (_, day) =>
    begin(at, earlier({ startedAt: `2027-01-${10 + day}T00:00:00Z` })),
  );
  expect([kept.at(-1)?.slice(0, 2), kept.at(-1)?.length]).toEqual([['0-mine', '2027-01-15T00-00-00Z'], 21]);
});

test.for([
  ['no run', null],
  ['a run that could not be judged', earlier({ conformant: null })],
  ['a run that was stopped', earlier({ clauses: [{}, { cutShort: true }] })],
  ['a part', earlier({ clauses: [{}, { outside: 'selection' }] })],
] as const)('those of %s are not', ([, before]) => {
  expect(begin(newFolder(), before)).toEqual([]);
});
