import { expect, test } from 'vitest';
import type { ApiName } from '../../contract/clause.ts';
import type { Transport } from '../../suites/session/transport/transport.ts';
import { world } from '../world/world.ts';
import { namingAnother, namingNothing, rotatingAnother, shiftingIds } from './between.ts';

const collections: readonly (readonly [ApiName, string])[] = [
  ['developer', '/api/v1/developer/keys'],
  ['workspace', '/v1/agents'],
  ['workspace', '/v1/leads'],
  ['workspace', '/v1/bookings'],
  ['workspace', '/v1/webhooks'],
];
/** Calls over the limits are like those before them, and twice as many. */
const settings = { EXHAUST: 'none' };
const cases = collections.flatMap(([api, collection]) =>
  [1, 2, 3].flatMap((every) => ([0, -1] as const).map((which) => [api, collection, every, which] as const)),
);

// A cache or a race may answer with another record. What the run then changes or deletes must be its own all the same.
test.each(cases)(
  '%s: %s answers creation %i, and each such one after it, with an id that was there: %i',
  async (...of) => {
    const [api, collection, every, which] = of;
    const { harm, results } = await world({ api, settings, between: [namingAnother(collection, every, which)] });
    expect(harm).toEqual([]);
    expect(results.filter(({ verdict }) => verdict === 'broken')).toEqual([]);
  },
);

test.each([0, -1] as const)('rotations answer with the id of a key that was there: %i', async (which) => {
  const others = new Set<string>();
  const { harm, ledger } = await world({
    api: 'developer',
    settings,
    between: [rotatingAnother(which, (id) => others.add(id))],
  });
  expect(harm).toEqual([]);
  expect(others.size).toBeGreaterThan(0);
  expect(ledger.all().filter(({ id }) => others.has(id ?? ''))).toEqual([]);
});

// A list that joins ids to the wrong rows: a row with the words of the run has the id of somebody else's record.
test.each(collections.flatMap(([api, collection]) => [1, -1, 2].map((by) => [api, collection, by] as const)))(
  '%s: the list of %s gives rows the ids of rows %i places further on',
  async (...of) => {
    const [api, collection, by] = of;
    const { harm, results } = await world({ api, settings, between: [shiftingIds(collection, by)] });
    expect(harm).toEqual([]);
    expect(results.filter(({ verdict }) => verdict === 'broken')).toEqual([]);
  },
);

test.each(['developer', 'workspace'] as const)('%s: so do all lists, and creates answer no id', async (api) => {
  const own = collections.filter(([of]) => of === api).map(([, collection]) => collection);
  const between = (transport: Transport): Transport =>
    own.reduce((inner, collection) => namingNothing(collection)(shiftingIds(collection, 1)(inner)), transport);
  const { harm, results } = await world({ api, settings, between: [between] });
  expect(harm).toEqual([]);
  expect(results.filter(({ verdict }) => verdict === 'broken')).toEqual([]);
});
