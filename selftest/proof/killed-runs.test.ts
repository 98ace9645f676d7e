import { expect, test } from 'vitest';
import type { Kill } from '../world/kill.ts';
import { clausesOf, world } from '../world/world.ts';

/** How many points are spread over the calls; those that are no creation, with and without the call arriving. */
const points = 15;

test.each([
  ['developer', true],
  ['developer', false],
  ['workspace', true],
  ['workspace', false],
] as const)(
  '%s: one cleanup finds everything that a run killed at some call left (a creation: %s)',
  async (api, creations) => {
    const clauses = clausesOf(api)
      .map(({ id }) => id)
      .filter((id) => !id.startsWith(`${api}.limits.`));
    const { exchanges, requests } = await world({ api, clauses });
    const all = creations ? exchanges.filter(({ request }) => request.method === 'POST').length : requests;
    let made = 0;
    for (let part = 0; part < points; part += 1) {
      const at = Math.max(1, Math.round((all * (part + 0.5)) / points));
      const killAt: Kill = { at, creations, arrives: creations || part % 2 === 0 };
      const killed = await world({ api, clauses, killAt });
      made += killed.made;
      expect([killAt, killed.left, killed.harm]).toEqual([killAt, [], []]);
    }
    expect(made).toBeGreaterThan(points);
  },
);
