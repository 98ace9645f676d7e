import { expect, test } from 'vitest';
import { isHardlyAnybodys } from '../../../../../suites/shared/unknown-ids/hardly-anybodys.ts';

const random = ['key_a91f04c7de', 'key_0b62d9f813', 'key_f7385ae1c4'];
const counted = ['7001', '7002', '7005'];
const cases: [string, string, readonly string[], boolean][] = [
  ['one like some that are drawn at random', 'key_f7385ae1c5', random, true],
  ['a number far ahead of those that are counted', '2000007005', counted, true],
  ['a number near those that are counted', '7011', counted, false],
  [
    'one like some that are counted in hexadecimal digits',
    '65f2c0a1be09',
    ['65f2c0a1be04', '65f2c0a1be05', '65f2c0a1be06'],
    false,
  ],
  ['digits alone, drawn from few', '83920177', ['10294856', '93750183', '57301942'], false],
  ['one beside two', 'key_f7385ae1c5', random.slice(0, 2), false],
];

test.each(cases)('%s', (_, id, givenOut, expected) => {
  expect(isHardlyAnybodys(id, givenOut)).toBe(expected);
});
