import { expect, test } from 'vitest';
import { member, parseExactly, parseJson } from '../../../common/json.ts';
import { bytesHeldBy } from '../bytes-held.ts';

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

test('throws for text that is not JSON', () => {
  expect(() => parseExactly('{"id":72459871234567890')).toThrow(SyntaxError);
});

test('digits that a double cannot represent do not keep their text in memory', async () => {
  const digits = (): unknown[] =>
    Array.from({ length: 60 }, (_, index) =>
      member(parseJson(`{"id":9${String(index).padStart(17, '0')},"v":"${'z'.repeat(1_000_000)}"}`), 'id'),
    );
  expect(digits()[7]).toBe('900000000000000007');
  expect(await bytesHeldBy(digits)).toBeLessThan(20_000_000);
});
