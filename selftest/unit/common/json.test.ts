import { expect, test } from 'vitest';
import { at, hasValue, parseExactly, parseJson, placeOfId, scalarText } from '../../../common/json.ts';

test.for<[string, unknown]>([
  ['{"id":7245987123456789012}', { id: '7245987123456789012' }],
  ['[-9007199254740993,9007199254740991]', ['-9007199254740993', 9007199254740991]],
  ['{"id":"7245987123456789012","n":1}', { id: '7245987123456789012', n: 1 }],
  ['[0.1234567890123456,1e21,1234567890123456.5]', [0.1234567890123456, 1e21, 1234567890123456.5]],
])(
  'an integer that a double cannot represent becomes the text of its digits, and nothing else does: %s',
  ([text, value]) => {
    expect(parseExactly(text)).toEqual(value);
  },
);

test('only a string, a number or a flag has a text, whatever methods the fields of an object are named like', () => {
  const odd = parseJson('{"toString":1,"valueOf":2,"toJSON":3,"length":4,"then":5,"__proto__":6,"constructor":7}');
  expect(['a', 7, -0, false, null, undefined, odd, [odd], ['a']].map(scalarText)).toEqual([
    ...['a', '7', '0', 'false'],
    ...[null, null, null, null, null],
  ]);
  expect(placeOfId({ odd, list: [odd], id: 'toString' }, 'toString')).toBe('/id');
  expect(placeOfId({ odd }, undefined)).toBeUndefined();
  expect(hasValue({ odd, list: [odd] }, '[object Object]')).toBe(false);
  expect(at(odd, '/__proto__')).toBe(6);
});

test('throws for text that is not JSON', () => {
  expect(() => parseExactly('{"id":72459871234567890')).toThrow(SyntaxError);
});
