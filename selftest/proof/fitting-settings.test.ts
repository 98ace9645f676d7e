import { describe, expect, test } from 'vitest';
import { fittingSettings } from './fitting-settings.ts';
import { runInProcess } from './run-in-process.ts';

describe('settings that fit the deployment: nothing fails, and nothing is left behind', () => {
  const rows = (['developer', 'workspace'] as const).flatMap((api) =>
    Object.entries(fittingSettings[api]).map(([name, fitting]) => [api, name, fitting] as const),
  );
  test.for(rows)('%s: %s', async ([api, , fitting]) => {
    const { results, left, leaks } = await runInProcess({ api, ...fitting });
    const others = results.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'observed');
    expect(others.filter(({ verdict }) => verdict !== 'skip' && verdict !== 'inconclusive')).toEqual([]);
    expect({ left, leaks }).toEqual({ left: [], leaks: [] });
    expect(others.map(({ id, verdict }) => `${verdict} ${id}`).join('\n')).toMatchSnapshot();
  });
});
