import { expect, test } from 'vitest';
import { asRead, at, exactNumber, parseJson, renamed, reword, scalarText } from '../../../common/json.ts';

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

const [digits, other] = ['7245987123456007756', '7245987123456009999'];

test('in a body that is sent, an id of 64 bits stays a number, whatever is replaced; in what is read, it is a text', () => {
  const body = { name: 'Agent run-1', lead_id: exactNumber(digits), count: 2 };
  expect(JSON.stringify(reword(body, 'run-1', 'run-2'))).toBe(`{"name":"Agent run-2","lead_id":${digits},"count":2}`);
  expect(asRead(body)).toEqual({ ...body, lead_id: digits });
});

test('an id in a body gives way to another one, a number to a number', () => {
  const body = { id: exactNumber(digits), data: { id: 'agt_1' }, lead_id: exactNumber(other), count: 1 };
  expect(JSON.stringify(renamed(body, [digits, 'agt_1', 'none'], '7245987123456001111'))).toBe(
    `{"id":7245987123456001111,"data":{"id":"7245987123456001111"},"lead_id":${other},"count":1}`,
  );
  expect(JSON.stringify(renamed({ id: 17 }, ['17'], 'agt_2'))).toBe('{"id":"agt_2"}');
});
