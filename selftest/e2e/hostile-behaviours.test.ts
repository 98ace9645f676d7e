import { expect, test } from 'vitest';
import { behaviours } from '../../tools/hostile/behaviours/all.ts';
import { tryClient } from '../../tools/hostile/try-client.ts';

/** Behaviours that take a whole deadline, or a megabyte, are left to `npm run hostile`. */
const slow =
  /4 MiB|Retry-After|status (102|199)$|16 exabytes|nobody knows|nothing at all|never comes|comes late|one too long/;

test.for(Object.entries(behaviours))('%s: each behaviour leads to an answer or a known failure', async ([, all]) => {
  const tried = Object.entries(all).filter(([name]) => !slow.test(name));
  expect(tried.length).toBeGreaterThan(15);
  for (const [name, behave] of tried) {
    const { outcomes, troubles } = await tryClient(behave);
    expect([name, troubles]).toEqual([name, []]);
    expect(outcomes).not.toContain('other');
  }
});
