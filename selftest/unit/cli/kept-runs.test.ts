import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { moveWholeRun } from '../../../cli/test/kept-runs.ts';
import type { EarlierRun } from '../../../results/earlier.ts';
import { newFolder } from '../../new-folder.ts';

const earlier = (startedAt: string, rest: object = {}): EarlierRun =>
  ({ startedAt, conformant: false, clauses: [{}], ...rest }) as unknown as EarlierRun;

/** Begins a run where the reports of an earlier one are. */
function begin(at: string, before: EarlierRun | null): void {
  const folder = join(at, 'latest');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'conformance.json'), String(before?.startedAt));
  moveWholeRun(folder, before);
}

const runsIn = (at: string): string[] => (existsSync(join(at, 'runs')) ? readdirSync(join(at, 'runs')) : []);

test('the reports of a whole run are kept in a folder of its own', () => {
  const at = newFolder();
  begin(at, earlier('2026-11-05T10:20:30.000Z'));
  expect(runsIn(at)).toEqual(['2026-11-05T10-20-30.000Z']);
  const kept = join(at, 'runs', '2026-11-05T10-20-30.000Z', 'conformance.json');
  expect([readFileSync(kept, 'utf8'), existsSync(join(at, 'latest'))]).toEqual(['2026-11-05T10:20:30.000Z', false]);
});

test.for([
  ['no run', null],
  ['a run that could not be judged', earlier('2026-11-05T10:20:30.000Z', { conformant: null })],
  ['a run that was stopped', earlier('2026-11-05T10:20:30.000Z', { clauses: [{}, { cutShort: true }] })],
  ['a part', earlier('2026-11-05T10:20:30.000Z', { clauses: [{}, { outside: 'selection' }] })],
] as const)('those of %s are not', ([, before]) => {
  const at = newFolder();
  begin(at, before);
  expect([runsIn(at), existsSync(join(at, 'latest'))]).toEqual([[], true]);
});

test('the oldest go, and nothing else does', () => {
  const at = newFolder();
  mkdirSync(join(at, 'runs', '0-mine'), { recursive: true });
  for (let day = 1; day <= 25; day += 1) {
    begin(at, earlier(`2026-11-${String(day).padStart(2, '0')}T10:20:30.000Z`));
  }
  const kept = runsIn(at).toSorted();
  expect([kept[0], kept[1], kept.length]).toEqual(['0-mine', '2026-11-06T10-20-30.000Z', 21]);
});
