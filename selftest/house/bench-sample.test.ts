import { expect, test } from 'vitest';
import { choices, faults } from '../../fixtures/reference/deployment.ts';
import { choiceCount, drawChoices, drawFaults, faultCount } from '../../tools/peers/sample.ts';

const unique = (values: readonly string[]): string[] => [...new Set(values)];
const chapters = unique(faults.flatMap(({ fails }) => fails.map((id) => id.split('.').slice(0, 2).join('.'))));

test('the faults that other tools are measured on exist, and every chapter has one', () => {
  const drawn = drawFaults();
  expect(unique(drawn.map(({ id }) => id))).toHaveLength(faultCount);
  expect(drawn.filter(({ id, api }) => !faults.some((fault) => fault.id === id && fault.api === api))).toEqual([]);
  const first = unique(faults.map(({ fails }) => fails[0]?.split('.').slice(0, 2).join('.') ?? 'no clause'));
  expect(unique(drawn.map(({ chapter }) => chapter)).toSorted()).toEqual(first.toSorted());
  expect(chapters.length).toBeGreaterThan(15);
});

test('the choices that they are measured on exist, half of them of each API', () => {
  const drawn = drawChoices();
  expect(unique(drawn.map(({ id }) => id))).toHaveLength(choiceCount);
  const isKnown = (id: string): boolean =>
    choices.some(({ name, values }) => Object.keys(values).some((value) => id === `${name}=${value}`));
  expect(drawn.filter(({ id }) => !isKnown(id))).toEqual([]);
  expect(drawn.filter(({ api }) => api === 'developer')).toHaveLength(choiceCount / 2);
});

test('the draw is the same for the same seed, and differs for another', () => {
  expect(drawFaults(7)).toEqual(drawFaults(7));
  expect(drawFaults(7)).not.toEqual(drawFaults(8));
});
