import { expect, test } from 'vitest';
import { respelling, spelledLike } from '../../../../../suites/shared/complaints/name-spelling.ts';

test.each<[string, object, object]>([
  ['LeadId', { lead_id: 1, name: 2 }, { LeadId: 1, Name: 2 }],
  ['leadId', { lead_id: 1, name: 2 }, { leadId: 1, name: 2 }],
  ['lead-id', { lead_id: 1 }, { 'lead-id': 1 }],
  ['lead_id', { leadId: 1, StartTime: 2 }, { lead_id: 1, start_time: 2 }],
  ['Name', { guests: [{ full_name: 'Ada' }] }, { Guests: [{ FullName: 'Ada' }] }],
  ['Name', { events: { 'booking.created': true } }, { Events: { 'booking.created': true } }],
])('all names of a body are spelled like %s', (example, body, spelled) => {
  expect(spelledLike(body, example)).toEqual(spelled);
});

test.each<[readonly string[], string | undefined]>([
  [['LeadId'], 'LeadId'],
  [['Name'], 'Name'],
  [['start', 'leadId'], 'leadId'],
  [['lead_id'], undefined],
  [['agentId'], undefined],
  [['name'], undefined],
])('a refusal that misses %j shows another spelling of a body with lead_id and name: %s', (names, example) => {
  expect(respelling(names, { lead_id: 1, name: 2 })).toBe(example);
});
