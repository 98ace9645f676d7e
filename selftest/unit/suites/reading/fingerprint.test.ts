import { expect, test } from 'vitest';
import { fingerprintOf, isRecognised } from '../../../../suites/reading/fingerprint.ts';

const [lead, at, end] = ['lead_wlVaquZ6l107XyPP', '2031-03-03T09:00:00Z', '2031-03-03T10:00:00Z'];
const isOwn = (id: string): boolean => id === lead || id === '7';
const named = { name: 'Ann run-7-01' };
const [long, short] = [
  { lead_id: lead, start: at },
  { lead_id: 7, start: at },
];

test.for<[string, body: object, record: object, boolean]>([
  ['its words, in another spelling', {}, { title: 'Meeting Run_7-01, Front' }, true],
  ["another's words", {}, { title: 'Meeting run-7-012, xrun-7-01' }, false],
  ["its words as its guest's", named, { name: 'Demo', guest: { name: 'Ann run-7-01' } }, true],
  ['its words in a log', named, { name: 'Night shift', log: ['Made Ann run-7-01'] }, false],
  ['its words in a list', named, { name: 'Night shift', others: [{ id: 7, name: 'Ann run-7-01' }] }, false],
  ['its words, and no name', named, { title: 'Ann run-7-01', name: '' }, true],
  ['lead and time in seconds', long, { contact: { id: lead }, begins: Date.parse(at) / 1000 }, true],
  ['lead and time in another zone', long, { contact: lead, begins: '2031-03-03T10:00:00+01:00' }, true],
  ['the time with another lead', long, { lead_id: 'lead_other', start: at }, false],
  ['the lead, without a time in the body', { lead_id: lead }, { lead_id: lead }, true],
  ['a short id deeper', short, { lead: { id: 7 }, start: at }, true],
  ['a short id under another name', short, { version: 7, start: at }, false],
  ['a short id, without a time in the body', { lead_id: 7 }, { lead_id: 7 }, false],
  ['its start as the end of another', { ...long, end }, { ...long, start: '2031-03-03T08:00:00Z', end: at }, false],
])('a record is recognised by its words or else by the values of its body: %s', ([, body, record, expected]) => {
  expect(isRecognised(record, { tag: 'run-7-01', fingerprint: fingerprintOf(isOwn, body, 'run-7-01') })).toBe(expected);
});
