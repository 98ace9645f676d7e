import { expect, test } from 'vitest';
import { looseRowAt, placeOfLooseRow } from '../../../../suites/reading/loose-row.ts';

const record = { id: 'k_2', tag: 'run7-02' };
const lists: Readonly<Record<string, unknown>> = {
  'a map by name': { keys: { main: { id: 'k_1', state: 'on' }, 'run7-02-first': { id: 'k_2', state: 'revoked' } } },
  'a map by name, without ids': {
    keys: { main: { name: 'Main' }, second: { name: 'run7-02-first', state: 'revoked' } },
  },
  'a table': {
    columns: ['id', 'state', 'scopes'],
    rows: [
      ['k_1', 'on', []],
      ['k_2', 'revoked', []],
    ],
  },
};

test.for(Object.entries(lists))('finds the row in %s', ([, json]) => {
  expect(looseRowAt(json, placeOfLooseRow(json, record) ?? '?')).toMatchObject({ state: 'revoked' });
});

test('values without columns are numbered, and a text alone has no row', () => {
  expect(looseRowAt([['k_1'], ['k_2', 'revoked']], '/1')).toEqual({ 0: 'k_2', 1: 'revoked' });
  expect(placeOfLooseRow('k_2', record)).toBeUndefined();
  expect(placeOfLooseRow({ keys: { main: { id: 'k_1' } } }, record)).toBeUndefined();
});
