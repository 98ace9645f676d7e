import { expect, test } from 'vitest';
import { sendWithUnknownId } from '../../../../suites/records/unknown-ids.ts';
import { send } from '../../../../suites/session/session.ts';
import { testSession } from '../../test-session.ts';

const collection = '/v1/agents';
const [unknown, made, theirs] = ['Xk6IlsJq3C28e70hxqTz', 'Ld93kQz71RbW0pVm55tY', 'Zz9Yy8Xx7Ww6Vv5Uu4Tt'];

test.for<[string, number, string, readonly (string | undefined)[]]>([
  ['refuses the call', 404, unknown, []],
  ['makes a record of that id', 200, unknown, [unknown]],
  ['makes another record, or changes one', 200, made, [undefined]],
  ['changes a record that was listed before', 200, theirs, [undefined]],
])('of a deployment that %s, the ledger has what the run made', async ([, status, shown, left]) => {
  const serve = ({ method }: Request): Response =>
    method === 'GET'
      ? Response.json({ agents: [{ id: theirs, name: 'Front desk' }] })
      : Response.json({ id: shown, name: 'Nobody' }, { status });
  const session = testSession('workspace', { serve, env: { WRITES: 'all' } });
  await send(session, `GET ${collection}`);
  session.writeGuard.allow(collection, unknown);
  const call = { id: unknown, body: { name: 'Nobody' } };
  await sendWithUnknownId(session, `PATCH ${collection}/:id`, collection, call);
  expect(session.ledger.toDelete().map(({ id }) => id)).toEqual(left);
  expect(session.writeGuard.allows(collection, theirs)).toBe(false);
});
