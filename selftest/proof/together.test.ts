import { expect, test } from 'vitest';
import { faults } from '../../fixtures/reference/deployment.ts';
import { isCaught, type Promised, rowsOfTogether } from './fault-row.ts';

const faultOf = (id: string): Promised => faults.find((fault) => fault.id === id) as Promised;

test('a fault without its declared effect is found among others, and they are not blamed', async () => {
  const wrong = { ...faultOf('ads-limit-ignored'), fails: ['developer.keys.list'] };
  const others = ['envelope-roas-nan', 'auth-deleted-key-cached'].map(faultOf);
  const rows = await rowsOfTogether([wrong, ...others]);
  expect(rows.map(isCaught)).toEqual([false, true, true]);
  expect(rows[0]).toMatchObject({ missed: wrong.fails, extra: faultOf('ads-limit-ignored').fails });
});

test('where one fault hides another, each is judged alone', async () => {
  const ids = ['scopes-refused-live-audit-is-made', 'keys-created-secret-masked'];
  const rows = await rowsOfTogether(ids.map(faultOf));
  expect(rows.map(({ id }) => id)).toEqual(ids);
  expect(rows.map(isCaught)).toEqual([true, true]);
  expect(rows.map(({ fails }) => fails)).toEqual(ids.map((id) => faultOf(id).fails));
});
