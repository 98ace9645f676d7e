import { expect, test } from 'vitest';
import { alphanumeric, commonPrefixLength, snakeCase, unescapedAlphanumeric } from '../../../common/words.ts';

test('the letters and digits of a text stay, escaped characters do not', () => {
  expect(alphanumeric('Run_7 (Łódź)')).toBe('run7d');
  expect(unescapedAlphanumeric('R&amp;D &#8211; 7')).toBe('rd7');
});

test.each([
  ['leadId', 'lead_id'],
  ['LeadID', 'lead_id'],
  ['lead_id', 'lead_id'],
  ['v2Agent', 'v2_agent'],
  ['next-Page.Token', 'next-page.token'],
])('%s in snake case is %s', (name, expected) => {
  expect(snakeCase(name)).toBe(expected);
});

test.each([
  ['', 'a', 0],
  ['run-1', 'run-12', 5],
  ['same', 'same', 4],
  ['one', 'other', 1],
])('%s and %s begin alike for %i characters', (one, other, length) => {
  expect(commonPrefixLength(one, other)).toBe(length);
});
