import { expect, test } from 'vitest';
import { type Intercepted, resultOf, runWorkspace, verdictsOf } from './run.ts';

const clause = 'bookings.cancel';
const takesOldest = 'workspace-bookings-cancel-takes-oldest';

/** Somebody else cancels the oldest booking just when the run cancels its first one. */
function somebodyCancels(): (answer: Response, call: Intercepted) => Promise<Response> {
  let hasCancelled = false;
  return async (answer, { call }) => {
    hasCancelled ||= call.startsWith('DELETE /v1/bookings/') && answer.ok;
    if (!hasCancelled || call !== 'GET /v1/bookings' || !answer.ok) {
      return answer;
    }
    const body = (await answer.json()) as { data: { id: string; status: string }[] };
    const oldest = body.data.at(-1);
    if (oldest !== undefined) {
      oldest.status = 'cancelled';
    }
    return Response.json(body, { headers: answer.headers });
  };
}

test('a booking of others that goes with each cancellation fails the clause', async () => {
  const ran = await runWorkspace({ faults: [takesOldest] });
  expect(resultOf(ran, clause)).toMatchObject({ verdict: 'fail' });
  expect(resultOf(ran, clause).findings[0]?.message).toMatch(/^Deleting one booking removes others: bkg_/);
});

test('a booking of others that goes with the only cancellation leaves the clause open', async () => {
  const ran = await runWorkspace({ faults: [takesOldest], ids: [`workspace.${clause}`] });
  expect(resultOf(ran, clause)).toMatchObject({ verdict: 'inconclusive' });
  expect(resultOf(ran, clause).findings[0]?.message).toMatch(/somebody else may have deleted it at that moment$/);
});

test('a booking that somebody else cancels at the same moment leaves the clause open, and fails nothing', async () => {
  const ran = await runWorkspace({ between: somebodyCancels() });
  const verdicts = verdictsOf(ran);
  expect(verdicts[clause]).toBe('inconclusive');
  expect(Object.values(verdicts).filter((verdict) => ['fail', 'warn', 'broken'].includes(verdict))).toEqual([]);
});
