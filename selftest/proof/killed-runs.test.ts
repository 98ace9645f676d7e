import { expect, test } from 'vitest';
import { type Kill, killRun } from './killed-runs.ts';

/** How many points are spread over the calls; those that are no creation, with and without the call arriving. */
const points = 15;

test.each([
  ['developer', 'creation'],
  ['developer', 'call'],
  ['workspace', 'creation'],
  ['workspace', 'call'],
] as const)('%s: one cleanup finds everything that a run killed at any %s left', async (api, what) => {
  const creations = what === 'creation';
  const { sent } = await killRun({ api, at: Infinity, creations: false, arrives: true });
  const all = creations ? sent.creations : sent.all;
  const kills = Array.from({ length: points }, (_, part): Kill => {
    const at = Math.max(1, Math.round((all * (part + 0.5)) / points));
    return { api, at, creations, arrives: creations || part % 2 === 0 };
  });
  let made = 0;
  for (const kill of kills) {
    const aftermath = await killRun(kill);
    made += aftermath.made;
    expect([kill, aftermath.left, aftermath.harm]).toEqual([kill, [], []]);
  }
  expect(made).toBeGreaterThan(points);
});
