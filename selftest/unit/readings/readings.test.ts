import { expect, test } from 'vitest';
import { readings } from './readings.ts';

test.each(Object.entries(readings))('%s', (_, read) => {
  expect(
    [read()]
      .flat()
      .map((one) => JSON.stringify(one) ?? 'nothing')
      .join('\n'),
  ).toMatchSnapshot();
});
