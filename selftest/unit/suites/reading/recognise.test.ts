import { expect, test } from 'vitest';
import { fieldsWith, isRecognised } from '../../../../suites/reading/own-words.ts';

const named = { name: 'Ann run-7-01' };

test.for<[string, body: object, record: object, boolean]>([
  ['its words, in another spelling', {}, { title: 'Meeting Run_7-01, Front' }, true],
  ["another's words", {}, { title: 'Meeting run-7-012, xrun-7-01' }, false],
  ["its words as its guest's", named, { name: 'Demo', guest: { name: 'Ann run-7-01' } }, true],
  ['its words in a log', named, { name: 'Night shift', log: ['Made Ann run-7-01'] }, false],
  ['its words, and no name', named, { title: 'Ann run-7-01', name: '' }, true],
])('a record is recognised by its words: %s', ([, body, record, expected]) => {
  expect(isRecognised(record, { tag: 'run-7-01', fields: fieldsWith(body, 'run-7-01') })).toBe(expected);
});
