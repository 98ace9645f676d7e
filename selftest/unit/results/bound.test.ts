import fc from 'fast-check';
import { expect, test } from 'vitest';
import { block, duration, oneLine, wrap } from '../../../reports/text.ts';
import { boundJson, bounds, cut } from '../../../results/bound.ts';
import { hostileTexts } from '../../hostile-texts.ts';

const hostile = fc.constantFrom(...Object.values(hostileTexts));
const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: hostile },
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  { weight: 1, arbitrary: hostile.map((text) => `${text} `.repeat(400).slice(0, 10_000)) },
);

/** Any JSON, hostile keys and texts included. */
const observed: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.jsonValue(),
  fc.dictionary(hostileText, fc.array(hostileText, { maxLength: 4 }), { maxKeys: 4 }),
);

test('a text that is cut keeps to the bound, says its length, splits no character, and is not cut again', () => {
  expect(cut('short')).toBe('short');
  expect(cut('x'.repeat(5_000_000), 60)).toBe(`${'x'.repeat(60 - 37)} … (cut, 5,000,000 characters in all)`);
  const text = fc.array(hostileText).map((parts) => parts.join('😀'));
  fc.assert(
    fc.property(text, fc.integer({ min: 60, max: 200 }), (long, most) => {
      const once = cut(long, most);
      expect([once.length <= most, once.isWellFormed(), cut(once, most)]).toEqual([true, true, once]);
    }),
  );
});

test('JSON of a normal size stays as it is, with its keys sorted; of a huge one the beginning is shown', () => {
  expect(JSON.stringify(boundJson({ b: 1, a: [undefined, -0, 'x'.repeat(5_000)] }))).toMatch(
    /^{"a":\[null,0,"x+ … \(cut, 5,000 characters in all\)"],"b":1}$/,
  );
  expect(boundJson(Array(100_000).fill(10))).toMatch(/^\[10,.* … \(cut, 300,001 characters in all\)$/);
  expect(JSON.stringify(boundJson(JSON.parse('{"__proto__": {"x": 1}}')))).toBe('{"__proto__":{"x":1}}');
  fc.assert(
    fc.property(observed, (value) => {
      const text = JSON.stringify(value);
      fc.pre(!text.includes('\\ud') && text.length < bounds.text);
      expect(boundJson(value)).toEqual(JSON.parse(text));
    }),
  );
});

// How characters that act or deceive are shown, the golden reports show.
test('text is shown on one line, or as many as needed, and is wrapped at blanks', () => {
  expect(oneLine(' a\n b\t\u2028c ', 100)).toBe('a b \\u{2028}c');
  expect(oneLine('x'.repeat(1_000), 60)).toMatch(/^x+ … \(cut, 1,000 characters in all\)$/);
  expect(block('a\nb\nc', 100, 2)).toBe('a\nb\n… (cut, more lines follow)');
  expect(wrap('one two three\nfour', 8)).toEqual(['one two', 'three', 'four']);
  expect(wrap('a-very-long-word b', 5)).toEqual(['a-very-long-word', 'b']);
  expect([0, 850, 12_345, 59_999, 245_000].map(duration).join()).toBe('0 ms,850 ms,12.3 s,60.0 s,4 min 5 s');
});
