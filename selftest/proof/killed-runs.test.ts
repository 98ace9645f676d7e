import { expect, test } from 'vitest';
import { type Kill, killRun } from './killed-runs.ts';

/**
 * Half of the points are calls that create something, half are spread over the whole run; each with and without the
 * call arriving.
 */
const points = 15;

test.each(['developer', 'workspace'] as const)(
  '%s: one cleanup finds everything that a run killed at any point left',
  async (api) => {
    const { sent } = await killRun({ api, at: Infinity, creations: false, arrives: true });
    const spread = (all: number, part: number): number => Math.max(1, Math.round((all * (part + 0.5)) / points));
    const kills = Array.from({ length: points }, (_, part) => part).flatMap((part): Kill[] => [
      { api, at: spread(sent.creations, part), creations: true, arrives: true },
      { api, at: spread(sent.all, part), creations: false, arrives: part % 2 === 0 },
    ]);
    let made = 0;
    for (const kill of kills) {
      const aftermath = await killRun(kill);
      made += aftermath.made;
      expect([kill, aftermath.left, aftermath.harm]).toEqual([kill, [], []]);
    }
    expect(made).toBeGreaterThan(points);
  },
);
