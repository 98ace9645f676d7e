import { expect, test } from 'vitest';
import { baselineOf, newsIn, type Row, summarise } from '../../../../tools/peers/compare.ts';

const row = (kind: Row['kind'], id: string, status: number | null, ...failures: string[]): Row => ({
  api: 'developer',
  kind,
  id,
  status,
  failures,
  durationMs: 1000,
  requests: 10,
  load: 0,
});
const plain = ['a', 'b', 'a', 'a', 'a'].map((failure, index) => row('plain', String(index + 1), 1, failure));

test('what any run without a fault shows is not attributed to a fault', () => {
  const baseline = baselineOf(plain);
  expect(newsIn(row('fault', 'x', 1, 'a', 'b'), baseline)).toEqual([]);
  expect(newsIn(row('fault', 'x', 1, 'a', 'c'), baseline)).toEqual(['c']);
});

test('an exit status that no run without a fault had is attributed to it; success and a timeout are not', () => {
  const baseline = baselineOf(plain);
  expect(newsIn(row('fault', 'x', 2), baseline)).toEqual(['exit status 2']);
  expect(newsIn(row('fault', 'x', 0), baseline)).toEqual([]);
  expect(newsIn(row('fault', 'x', null, 'c'), baseline)).toEqual([]);
});

test('a later run without a fault is not part of the baseline: what is new in it is chance', () => {
  const rows = [...plain, row('plain', '6', 1, 'c'), row('fault', 'x', 1, 'c'), row('choice', 'y=z', 1, 'a')];
  expect(summarise(rows)).toMatchObject({ onPlain: 2, varied: 1, faults: 1, choices: 1, alarms: [], endedForTime: 0 });
  expect(summarise(rows).caught.map(({ id }) => id)).toEqual(['x']);
});
