import { expect, test } from 'vitest';
import { parseExactly } from '../../../common/json.ts';

test.for<[string, unknown]>([
  ['{"id":7245987123456789012}', { id: '7245987123456789012' }],
  ['[-9007199254740993,9007199254740991]', ['-9007199254740993', 9007199254740991]],
  ['{"id":"7245987123456789012","n":1}', { id: '7245987123456789012', n: 1 }],
  ['[0.1234567890123456,1e21,1234567890123456.5]', [0.1234567890123456, 1e21, 1234567890123456.5]],
])('an integer that a double cannot hold is the text of its digits, and nothing else is: %s', ([text, value]) => {
  expect(parseExactly(text)).toEqual(value);
});

test('what is no JSON throws', () => {
  expect(() => parseExactly('{"id":72459871234567890')).toThrow(SyntaxError);
});
