import { expect, test } from 'vitest';
import { isUnguessable } from '../../../../suites/reading/record.ts';
import { altered, alteredAt, madeUpId } from '../../../../suites/records/unknown-ids.ts';

const uuid = '3f2a9c1e-7b64-4d0a-9e51-0c8d2b7a6f13';
/** A deployment that parses the number at the end of an id may ignore bytes after it, and find another record. */
const global = Buffer.from('gid://desk/Booking/1234567').toString('base64url');

test.for([
  [uuid, /^3f2a9c1e-7b64-4d0a-9e51-0c8d2b7a[0-9a-f]{4}$/],
  ['ABCDEF0123456789ABCDEF01', /^ABCDEF0123456789ABCD[A-F]{2}\d{2}$/],
  // Base 32, without I, L, O and U.
  ['01HZX3V8Q2M4K6P8R0TANCDE', /^01HZX3V8Q2M4K6P8R0TA[A-HJKMNP-TV-Z]{4}$/],
] as const)('%s becomes another id of its form', ([id, form]) => {
  expect(altered(id)).toMatch(form);
  expect(altered(id)).not.toBe(id);
});

test('one character is changed at any place, and in base64 not only unused bits of the last one', () => {
  expect([alteredAt('abcdef', 2).replace(/^ab[^c]/, ''), altered('')]).toEqual(['def', '']);
  const bytes = (text: string): string => Buffer.from(text, 'base64').toString('hex');
  const ends = ['AA', 'AQ', 'Ag', 'Aw', 'AAA', 'AAE', 'AAs', 'AAw', 'AA0', 'AA8'].map((end) => `zzzz${end}`);
  expect(ends.filter((text) => bytes(text) === bytes(altered(text, 1)))).toEqual([]);
});

test.for([
  ['A-7', 'A-2000000007'],
  ['100000001', '900100000001'],
] as const)('a sequential id becomes a much higher one: %s', ([real, expected]) => {
  expect([madeUpId(real), isUnguessable(expected)]).toEqual([expected, false]);
});

test.for([
  ['ABCDEF0123456789ABCDEF01', true],
  // The end of a TypeID, with few digits.
  ['booking_01jvacjsbtw9dytzram50bttej', true],
  ['V1StGXR8_Z5jdHi6B-myT', true],
  ['BOOKINGCONFIRMED2026MARCH7', false],
  ['customer-7-order-2026-Q4-000123-EU', false],
  ['12345678901234567890', false],
  [global, false],
] as const)('%s is unguessable: %s', ([id, expected]) => {
  expect(isUnguessable(id)).toBe(expected);
});
