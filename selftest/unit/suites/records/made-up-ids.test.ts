import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isUnguessable } from '../../../../suites/reading/unguessable.ts';
import { altered, alteredAt, isFarAhead, madeUpId } from '../../../../suites/records/made-up-ids.ts';

const kindOf = (one: string): string => ['[0-9]', '[a-z]', '[A-Z]'].find((kind) => new RegExp(kind).test(one)) ?? one;

const uuid = '3f2a9c1e-7b64-4d0a-9e51-0c8d2b7a6f13';

/** A deployment that parses the number at the end of an id may ignore bytes after it, and find another record. */
const global = Buffer.from('gid://desk/Booking/1234567').toString('base64url');

describe('a changed id', () => {
  test.for(['agt_6IlsJq3C28e70hxq', 'key_000000000000aiLou', uuid, '01HZX3V8Q2M4K6P8R0TANCDE'])(
    '%s becomes another id that looks alike',
    (id) => {
      const other = altered(id);
      expect(other).not.toBe(id);
      expect([...other].map(kindOf)).toEqual([...id].map(kindOf));
      expect(other.slice(0, 8)).toBe(id.slice(0, 8));
    },
  );

  test('changes each of its last four letters and digits, and nothing else', () => {
    const character = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789');
    fc.assert(
      fc.property(fc.string({ minLength: 4, maxLength: 40, unit: character }), (id) => {
        const other = altered(id);
        expect(other.slice(0, -4)).toBe(id.slice(0, -4));
        expect([...other.slice(-4)].filter((one, index) => one === id.slice(-4)[index])).toEqual([]);
        expect([...other].map(kindOf)).toEqual([...id].map(kindOf));
      }),
    );
  });

  test('stays hexadecimal, or within the letters of base 32, if it was', () => {
    expect(altered(uuid)).toMatch(/^[0-9a-f-]{36}$/);
    expect(altered('ABCDEF0123456789ABCDEF01')).toMatch(/^[0-9A-F]{24}$/);
    expect(altered('01HZX3V8Q2M4K6P8R0TANCDE')).toMatch(/^[0-9A-HJKMNP-TV-Z]{24}$/);
  });

  test('changes only letters and digits, at any place', () => {
    expect(altered('x_-_')).not.toBe('x_-_');
    expect(altered('x_-_').slice(1)).toBe('_-_');
    expect(alteredAt('abcdef', 2).slice(3)).toBe('def');
    expect(alteredAt('abcdef', 2).slice(0, 2)).toBe('ab');
    expect(altered('')).toBe('');
  });

  test('changes significant bits of base64 text, not the unused ones of its last character', () => {
    for (const text of ['AA', 'AQ', 'Ag', 'Aw', 'AAA', 'AAE', 'AAI', 'AAM', 'AAs', 'AAw', 'AA0', 'AA4', 'AA8']) {
      const [before, after] = [`zzzz${text}`, altered(`zzzz${text}`, 1)];
      expect(Buffer.from(before, 'base64').equals(Buffer.from(after, 'base64')), text).toBe(false);
    }
  });
});

describe('an id that was made up', () => {
  test.for([
    ['1', '2000000001'],
    ['agt_12', 'agt_2000000012'],
    ['A-7', 'A-2000000007'],
    ['100000001', '900100000001'],
    ['999999999999', '1899999999999'],
  ] as const)('a sequential id becomes a much higher one: %s', ([real, expected]) => {
    expect(madeUpId(real)).toBe(expected);
    expect(isUnguessable(madeUpId(real))).toBe(false);
  });

  test.for([
    ['agt_6IlsJq3C28e70hxq', true],
    [uuid, true],
    ['ABCDEF0123456789ABCDEF01', true],
    // ULIDs, also with few digits.
    ['01JBCWETZ373T5DTAXWTNNGQY3', true],
    ['booking_01jvacjsbtw9dytzram50bttej', true],
    ['BOOKINGCONFIRMED2026MARCH7', false],
    ['short', false],
    ['BK-2026-1262', false],
    ['booking-2026-00000123456789', false],
    ['2026-03-14-brave-otter-4821', false],
    ['customer-7-order-2026-Q4-000123-EU', false],
    ['20260314092653589', false],
    ['V1StGXR8_Z5jdHi6B-myT', true],
    ['zzzzz9', false],
    ['abcdefghijklmnopqrst', false],
    ['12345678901234567890', false],
    [global, false],
    [altered(global), false],
  ] as const)('%s is unguessable: %s', ([id, expected]) => {
    expect(isUnguessable(id)).toBe(expected);
  });
});

test.each([
  ['a number far above sequential ones', '2000007005', ['7001', '7002', '7005'], true],
  ['a number far above two sequential ones, with a prefix', 'bk_2000007005', ['bk_7002', 'bk_7005'], true],
  ['a number far above one', '2000007005', ['7005'], false],
  ['a number near sequential ones', '7011', ['7001', '7002', '7005'], false],
  ['only digits, from a large range', '9083920177', ['10294856', '93750183'], false],
  ['an id that is no number', 'key_f7385ae1c5', ['key_a91f04c7de', 'key_0b62d9f813'], false],
])('whether nobody has an id: %s', (_, id, known, expected) => {
  expect(isFarAhead(id, known)).toBe(expected);
});
