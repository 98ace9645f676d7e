import { describe, expect, test } from 'vitest';
import { lesserSettings } from './lesser-settings.ts';
import { runInProcess } from './run-in-process.ts';

const green = ['pass', 'observed'];
const mayFollow = ['skip', 'inconclusive'];

describe.each(['developer', 'workspace'] as const)(
  '%s: a run that may do less says what it left out, and nothing fails',
  (api) => {
    test.for(Object.entries(lesserSettings[api]))('%s', async ([, settings]) => {
      const { results, left } = await runInProcess({ api, settings });
      const others = results.filter(({ verdict }) => !green.includes(verdict));
      expect(others.filter(({ verdict }) => !mayFollow.includes(verdict))).toEqual([]);
      expect(left).toEqual([]);
      expect(others.filter(({ findings }) => !findings[0]?.message)).toEqual([]);
      expect(others.map(({ id, verdict }) => `${verdict} ${id}`).join('\n')).toMatchSnapshot();
    });
  },
);
