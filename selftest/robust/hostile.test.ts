import { expect, test } from 'vitest';
import { isNightly } from '../nightly.ts';
import { behaviours, tried } from './hostile/all.ts';
import { tryClient } from './hostile/try-client.ts';
import { trySuite } from './hostile/try-suite.ts';

/** Behaviours that take a whole deadline, or megabytes, are left to the night. */
const slow =
  /MiB|mebibyte|without end|never|each|status 199|16 exabytes|nobody knows|nothing at all|one too long|100 each|until/;

test.for(Object.entries(behaviours))('%s: each behaviour leads to an answer or a known failure', async ([, all]) => {
  const quick = Object.entries(all).filter(([name]) => !slow.test(name));
  expect(quick.length).toBeGreaterThan(4);
  for (const [name, behave] of quick) {
    expect([name, await tryClient(behave)]).toEqual([name, []]);
  }
});

const rows = Object.entries({ ...behaviours, ...tried }).flatMap(([group, all]) =>
  Object.entries(all).map(([name, behave]) => [`${group}: ${name}`, behave] as const),
);

/** Each runs `npm test` in a process of its own: one of four in a night. */
const tonight = isNightly ? rows.filter((_, place) => place % 4 === new Date().getUTCDate() % 4) : [];

test.for(tonight)('the reports on a server do no harm, and agree: %s', { timeout: 240_000 }, ([, behave]) =>
  trySuite(behave),
);
