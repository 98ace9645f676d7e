import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../../common/json.ts';
import { complaintOf } from '../../../../../suites/shared/complaints/complaint.ts';
import {
  filled,
  shownNames,
  shownRecord,
  shownTemplate,
} from '../../../../../suites/shared/complaints/shown-values.ts';

const own: Readonly<Record<string, unknown>> = {
  name: 'Ours run-1',
  email: 'run-1@example.com',
  phone: '+12025550101',
  start: '2026-03-02T15:00:00Z',
  end: '2026-03-02T15:30:00Z',
  lead_id: 7,
  lead: 7,
  source: 'web',
};
const valuesOf = (field: string, says?: string): readonly unknown[] =>
  field in own ? [own[field]] : says === undefined ? [] : [`our ${field}`];

/** What is sent for a field of which these rows are shown. */
function sentFor(name: string, ...rows: readonly JsonObject[]): unknown {
  const template = shownTemplate(name, { rows, valuesOf });
  return template === undefined ? undefined : filled(template, valuesOf);
}

test.each<[string, JsonObject, unknown]>([
  [
    'a list of objects: its first member',
    { contacts: [{ type: 'email', value: 'ada@example.org' }, { type: 'sms' }] },
    [{ type: 'email', value: 'run-1@example.com' }],
  ],
  ['an object within the record', { record: { contacts: { kind: 'main' } } }, { kind: 'main' }],
  ['another spelling', { Contacts: { isMain: true } }, { isMain: true }],
  ['no id', { contacts: { id: 'usr_1', owner_id: 12, kind: 'main' } }, { kind: 'main' }],
  ["an id of the run's", { contacts: { lead_id: 3, lead: { id: 4 } } }, { lead_id: 7, lead: { id: 7 } }],
  ['no id under another name', { contacts: { owner: '3f2b8c1e-9d04-4c7a-8a51-0be1f2a3c4d5', n: 1 } }, { n: 1 }],
  ['no large number', { contacts: { account: 10_442, weight: 3 } }, { weight: 3 }],
  ["no time but the run's", { contacts: { since: '2025-01-01', start: '2025-01-01T09:00:00Z' } }, { start: own.start }],
  ['no phone number', { contacts: { value: '+49 151 2345678' } }, { value: own.phone }],
  ['no text', { contacts: { remark: 'Called twice, was rude' } }, { remark: 'our remark' }],
  ['no name', { contacts: { name: 'ada' } }, { name: own.name }],
  ['no URL', { contacts: { site: 'https://ada.example' } }, { site: 'our url' }],
  ['nothing of an empty list', { contacts: [] }, undefined],
  ['nothing of null', { contacts: null }, undefined],
  ['nothing of a text', { contacts: 'Ada, Bruno' }, undefined],
])('of a row is taken over: %s', (_, row, sent) => {
  expect(sentFor('contacts', row)).toEqual(sent);
});

test.each<[string, readonly unknown[], unknown]>([
  ['a word', ['gold'], 'gold'],
  ['the most frequent word', ['gold', 'silver', 'silver'], 'silver'],
  ['a text that two rows have', ['Tier One', 'Tier Two', 'Tier Two'], 'Tier Two'],
  ['no text that one row has', ['Tier One', 'Tier Two'], undefined],
  ['no number that looks like an id', ['usr_12', 'usr_12'], undefined],
  ['a number', [3, 3], 3],
  ['a flag', [false], false],
])('of a scalar field is taken over: %s', (_, values, sent) => {
  expect(sentFor('tier', ...values.map((tier) => ({ tier })))).toBe(sent);
});

test('a whole record is shown by its first row, without what wraps it', () => {
  const rows = [{ lead: { id: 'a1', name: 'Ada', stage: 'open', created_at: '2026-01-01T00:00:00Z' } }];
  const fields = [...shownRecord({ rows, valuesOf })].map(([name, template]) => [name, filled(template, valuesOf)]);
  expect(Object.fromEntries(fields)).toEqual({ name: 'Ours run-1', stage: 'open' });
});

test('the names of JSON-LD are no fields: a refusal that misses `type` does not mean the `@type` that lists show', () => {
  const rows = [{ '@id': '/leads/1', '@type': 'Lead', kind: 'call' }];
  expect(shownNames(rows)).not.toContain('@type');
  const answer = { json: { message: 'type is required' }, text: '' };
  expect(complaintOf(answer, { name: 'x' }, { shown: shownNames(rows) }).fields).toEqual(['type']);
});
