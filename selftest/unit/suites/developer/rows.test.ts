import { expect, test } from 'vitest';
import { haveSharedRecord, sharedNames } from '../../../../suites/developer/rows.ts';

const campaign = { id: '1', name: 'Spring', spend_last_30d: 10, roas: 2 };
const deal = { id: '1', company: 'Osprey Freight', stage: 'closed', amount: 5 };

test('a record is the same whose figures have changed', () => {
  expect(haveSharedRecord([campaign], [{ ...campaign, spend_last_30d: 11 }], new Set())).toBe(true);
  expect(haveSharedRecord([deal], [{ ...deal, stage: 'sourced' }], new Set())).toBe(true);
});

test('a record with the same id and another name is another one', () => {
  expect(haveSharedRecord([campaign], [{ ...campaign, name: 'Autumn' }], new Set())).toBe(false);
  expect(haveSharedRecord([campaign], [deal], new Set())).toBe(false);
});

test('where both environments have records of that id and name, the whole record counts', () => {
  const ofLive = { ...campaign, spend_last_30d: 900 };
  const ambiguous = sharedNames([campaign], [ofLive]);
  expect(ambiguous.size).toBe(1);
  expect(haveSharedRecord([ofLive], [campaign], ambiguous)).toBe(false);
  expect(haveSharedRecord([campaign], [{ ...campaign, note: null }], ambiguous)).toBe(true);
});
