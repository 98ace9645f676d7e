import { expect, test } from 'vitest';
import { createPacer } from '../../../../../suites/session/pace/pacer.ts';
import { keyOf } from './open-pacer.ts';

test('a call whose budget has room waits for nothing, though the clock moves on between two readings', async () => {
  let time = 0;
  const waits: number[] = [];
  const clock = {
    now: () => (time += 0.25),
    sleep: async (ms: number) => {
      time += ms;
    },
  };
  const pacer = createPacer({
    clock,
    keysShareBudget: false,
    clockSpeed: 1,
    perMinute: () => 100,
    onWait: (_, ms) => waits.push(ms),
  });
  for (let call = 0; call < 100; call += 1) {
    await pacer.waitForTurn(keyOf('a'));
  }
  expect(waits).toEqual([]);
});
