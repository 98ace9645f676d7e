import { expect, test } from 'vitest';
import { madeUpId } from '../../../../suites/records/made-up-ids.ts';
import { probablyUnused } from '../../../../suites/records/whose-id.ts';
import { handlerTransport } from '../../../../suites/session/transport/handler-transport.ts';
import { testSession } from '../../test-session.ts';

test.for([
  [0, 'the first'],
  [1, 'another'],
] as const)('if %i of the made-up ids belong to records, it is %s one', async ([taken]) => {
  const real = 'BK-2026-8934';
  const theirs = Array.from({ length: taken }, (_, attempt) => madeUpId(real, attempt));
  const transport = handlerTransport(({ url }) => {
    const isTheirs = theirs.some((id) => url.endsWith(`/${id}`));
    return Response.json(isTheirs ? { id: theirs } : {}, { status: isTheirs ? 200 : 404 });
  });
  const session = testSession('workspace', { transport });
  const kind = { collection: '/v1/agents', real, deleted: null, mayDeleteAgain: false, calls: [] };
  expect(await probablyUnused(session, { ...kind, purpose: 'documented' })).toBe(madeUpId(real, taken));
});
