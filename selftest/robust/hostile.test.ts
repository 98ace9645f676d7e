import { expect, test } from 'vitest';
import { behaviours } from '../../tools/hostile/corpus/all.ts';
import { tryClient } from './try-client.ts';

/** Behaviours that take a whole deadline, or megabytes, are left to `npm run hostile`. */
const slow =
  /MiB|mebibyte|without end|never|each|status 199|16 exabytes|nobody knows|nothing at all|one too long|100 each|until/;

test.for(Object.entries(behaviours))('%s: each behaviour leads to an answer or a known failure', async ([, all]) => {
  const tried = Object.entries(all).filter(([name]) => !slow.test(name));
  expect(tried.length).toBeGreaterThan(4);
  for (const [name, behave] of tried) {
    const { outcomes, troubles } = await tryClient(behave);
    expect([name, troubles]).toEqual([name, []]);
    expect(outcomes).not.toContain('other');
  }
});
