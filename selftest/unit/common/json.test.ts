import { expect, test } from 'vitest';
import { at, parseJson, renamed, scalarText } from '../../../common/json.ts';

test.for<[string, unknown]>([
  ['[-9007199254740993,9007199254740991]', ['-9007199254740993', 9007199254740991]],
  ['{"id":"7245987123456789012","n":1}', { id: '7245987123456789012', n: 1 }],
  ['[0.1234567890123456,1e21,1234567890123456.5]', [0.1234567890123456, 1e21, 1234567890123456.5]],
])(
  'an integer that a double cannot hold becomes the text of its digits, and nothing else does: %s',
  ([text, value]) => {
    expect(parseJson(text)).toEqual(value);
  },
);

test('only a string, a number or a flag has a text, whatever methods the fields of an object are named like', () => {
  const odd = parseJson('{"toString":1,"valueOf":2,"toJSON":3,"length":4,"then":5,"__proto__":6,"constructor":7}');
  expect(['a', 7, -0, false, null, undefined, odd, [odd], ['a']].map(scalarText)).toEqual([
    ...['a', '7', '0', 'false'],
    ...[null, null, null, null, null],
  ]);
  expect(at(odd, '/__proto__')).toBe(6);
});

test('an id in a body gives way to another one, a number to a number', () => {
  const body = { id: 17, data: { id: 'agt_1' }, lead_id: 18, count: 1 };
  expect(renamed(body, ['17', 'agt_1', 'none'], '19')).toEqual({ ...body, id: 19, data: { id: '19' } });
  expect(renamed(body, ['17'], 'agt_2')).toEqual({ ...body, id: 'agt_2' });
});
