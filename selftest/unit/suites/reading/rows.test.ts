import { expect, test } from 'vitest';
import { rowPlace } from '../../../../suites/reading/rows.ts';

const row = (kid: string, name: string) => ({
  kid,
  account_id: 'acc_1042',
  created_by: { id: 'usr_7' },
  name,
  seats: 5,
});

test('a record is found by its id in a field that tells all rows apart, whatever it is called', () => {
  const rows = [row('svc_test_Qp3d', 'run-1 (copy)'), row('svc_test_Ti3V', 'run_1'), row('svc_live_x81Z', 'Given')];
  expect(rowPlace(rows, 'key', { id: 'svc_test_Ti3V', tag: 'run-1' })).toBe(1);
});

test('a long number is such an id, too, and a short one is not: it may be a count', () => {
  const rows = [
    { ...row('a', 'One'), seats: 4 },
    { ...row('b', 'Two'), seats: 5 },
  ];
  expect(rowPlace(rows, 'key', { id: '5', tag: 'run-1' })).toBe(-1);
  const long = rows.map((one) => ({ ...one, seats: one.seats + 7_245_987_123 }));
  expect(rowPlace(long, 'key', { id: '7245987128', tag: 'run-1' })).toBe(1);
});
