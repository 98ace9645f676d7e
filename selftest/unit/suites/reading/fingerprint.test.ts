import { describe, expect, test } from 'vitest';
import { fingerprintOf, isRecognised } from '../../../../suites/reading/fingerprint.ts';

const [lead, at] = ['lead_wlVaquZ6l107XyPP', '2031-03-03T09:00:00Z'];
const isOwn = (id: string): boolean => id === lead || id === '7';

/** Whether a record is recognised as the one that a body created. */
const isOf = (body: unknown, record: unknown): boolean =>
  isRecognised(record, { tag: 'run-7-01', fingerprint: fingerprintOf(isOwn, body) });

describe('a record is recognised by its words or, if it shows none, by the values of its body', () => {
  const long = { lead_id: lead, start: at };
  const short = { lead_id: 7, start: at };
  const whole = { ...long, end: '2031-03-03T10:00:00Z' };
  test.for<[string, unknown, unknown, boolean]>([
    ['its words', {}, { title: 'Meeting run-7-01' }, true],
    ["another's words", {}, { title: 'Meeting run-7-012' }, false],
    ['lead and time', long, { contact: { id: lead }, begins: '2031-03-03T10:00:00+01:00' }, true],
    ['lead and time in seconds', long, { contact: lead, begins: Date.parse(at) / 1000 }, true],
    ['the lead at another time', long, { lead_id: lead, start: '2031-03-03T10:00:00Z' }, false],
    ['the time with another lead', long, { lead_id: 'lead_other', start: at }, false],
    ['the lead, without a time in the body', { lead_id: lead }, { lead_id: lead }, true],
    ['a short id under its name', short, { lead_id: 7, start: at }, true],
    ['a short id deeper', short, { lead: { id: 7 }, start: at }, true],
    ['a short id under another name', short, { version: 7, start: at }, false],
    ['a short id, without a time in the body', { lead_id: 7 }, { lead_id: 7 }, false],
    ['only its start', whole, { lead_id: lead, start: at, created_at: '2031-03-01T09:00:00Z' }, true],
    ['its start as the end of another', whole, { lead_id: lead, start: '2031-03-03T08:00:00Z', end: at }, false],
    ["somebody else's lead", { lead_id: 'lead_other', start: at }, { lead_id: 'lead_other', start: at }, false],
  ])('%s', ([, body, record, expected]) => {
    expect(isOf(body, record)).toBe(expected);
  });
});
