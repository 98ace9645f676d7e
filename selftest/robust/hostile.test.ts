import { expect, test } from 'vitest';
import { isNightly } from '../nightly.ts';
import type { Behaviour } from './hostile/behaviour.ts';
import { bodies, records } from './hostile/bodies.ts';
import { connections, heads } from './hostile/protocol.ts';
import { echoes, places, texts } from './hostile/texts.ts';
import { toldApart } from './hostile/told-apart.ts';
import { tryClient } from './hostile/try-client.ts';
import { trySuite } from './hostile/try-suite.ts';

// Concurrently, since some wait for a time limit.
test.concurrent.for(Object.entries(toldApart))('a server that %s', async ([, [behave, comes, isJson = false]]) => {
  // Only behaviours that should reach the time limit get a short one.
  expect(await tryClient(behave, comes === 'timeout' ? 400 : 30_000)).toEqual({ troubles: [], comes, isJson });
});

/** Hostile answers, by what they abuse. */
const behaviours: Readonly<Record<string, Readonly<Record<string, Behaviour>>>> = {
  'status and header lines': heads,
  bodies,
  'ids and places': records,
  'lengths and connections': connections,
  'texts that reports print': texts,
  'texts where names and codes stand': places,
  'the key, echoed': echoes,
};

/** Behaviours that take a whole deadline, or megabytes, are left to the night. */
const slow =
  /MiB|mebibyte|without end|never|each|status 199|16 exabytes|nobody knows|nothing at all|one too long|100 each|until/;

test.for(Object.entries(behaviours))('%s: each behaviour leads to an answer or a known failure', async ([, all]) => {
  const quick = Object.entries(all).filter(([name]) => !slow.test(name));
  expect(quick.length).toBeGreaterThan(4);
  for (const [name, behave] of quick) {
    expect([name, (await tryClient(behave)).troubles]).toEqual([name, []]);
  }
});

const rows: readonly (readonly [string, Behaviour])[] = [
  ...Object.entries(toldApart).map(([name, [behave]]) => [name, behave] as const),
  ...Object.entries(behaviours).flatMap(([group, all]) =>
    Object.entries(all).map(([name, behave]) => [`${group}: ${name}`, behave] as const),
  ),
];

/** Each runs `npm test` in a process of its own: one of four in a night. */
const tonight = isNightly ? rows.filter((_, place) => place % 4 === new Date().getUTCDate() % 4) : [];

test.for(tonight)('the reports on a server do no harm, and agree: %s', { timeout: 240_000 }, ([, behave]) =>
  trySuite(behave),
);
