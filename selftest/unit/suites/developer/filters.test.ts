import { expect, test } from 'vitest';
import { vocabulary } from '../../../../suites/developer/filters/documented.ts';
import { type Condition, type Part, type Wrong, wrongTwice } from '../../../../suites/developer/filters/lists.ts';

const { conditions } = vocabulary('GET /api/v1/content/posts', 'status');

/** Posts that a list should not show. */
const strays = (...ids: string[]): Wrong => {
  const part = { condition: conditions[0] as Condition } as Part;
  const records = ids.map((id) => ({ id, hasId: true, row: { id }, answer: part.answer }));
  return { part, says: '', records };
};

test('a record counts if it is wrong twice: others may have changed while they were read', () => {
  const twice = wrongTwice([strays('a', 'b'), strays('a'), null], [strays('b', 'c'), strays('c'), strays('a')]);
  expect(twice.map((wrong) => wrong?.records.map(({ id }) => id))).toEqual([['b'], undefined, undefined]);
});
