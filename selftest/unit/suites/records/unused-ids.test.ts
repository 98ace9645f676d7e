import { expect, test } from 'vitest';
import { isAlmostCertainlyUnused } from '../../../../suites/records/unused-ids.ts';

const random = ['key_a91f04c7de', 'key_0b62d9f813', 'key_f7385ae1c4'];
const counted = ['7001', '7002', '7005'];
const path = (number: number): string => Buffer.from(`gid://desk/booking/${number}`).toString('base64url');
const cases: [string, string, readonly string[], boolean][] = [
  ['an id like others that are random', 'key_f7385ae1c5', random, true],
  ['a number far above sequential ones', '2000007005', counted, true],
  ['a number far above two sequential ones', '2000007005', counted.slice(1), true],
  ['a number far above one', '2000007005', counted.slice(2), false],
  ['a number far above sequential ones, in base64', path(2_000_001_200_007), [path(1_200_007), path(1_200_008)], true],
  ['a number near sequential ones', '7011', counted, false],
  [
    'an id like others that count in hexadecimal digits',
    '65f2c0a1be09',
    ['65f2c0a1be04', '65f2c0a1be05', '65f2c0a1be06'],
    false,
  ],
  ['only digits, from a small range', '83920177', ['10294856', '93750183', '57301942'], false],
  ['an id, with only two others to compare', 'key_f7385ae1c5', random.slice(0, 2), false],
];

test.each(cases)('%s', (_, id, givenOut, expected) => {
  expect(isAlmostCertainlyUnused(id, givenOut)).toBe(expected);
});
