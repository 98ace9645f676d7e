import { expect, test } from 'vitest';
import { type Intercepted, runWorkspace } from './run.ts';

const kinds = ['agents', 'leads', 'bookings', 'webhooks'] as const;

test('records of the run are deleted, and leads, which cannot be deleted, are named', async () => {
  const ran = await runWorkspace();
  const mine = kinds.map(
    (kind) =>
      [
        kind,
        ran.reference.workspace
          .snapshot()
          [kind].filter((row) => JSON.stringify(row).includes('self11') && row.status !== 'cancelled'),
      ] as const,
  );
  const left = Object.fromEntries(mine.map(([kind, rows]) => [kind, rows.map(({ id }) => String(id))]));
  expect(left).toMatchObject({ agents: [], bookings: [], webhooks: [] });
  expect(left.leads).toHaveLength(1);
  expect(ran.ledger.toDelete()).toEqual([]);
  expect(
    ran.reference.workspace.snapshot().bookings.filter(({ status }) => status === 'cancelled').length,
  ).toBeGreaterThan(2);
  expect(ran.notes).toEqual([`Left behind: 1 lead that the API cannot delete: ${left.leads?.join()}`]);
});

test('a record that cannot be deleted is named with the reason, and stays in the ledger', async () => {
  const crash = (one: Intercepted): Response | null =>
    !one.call.startsWith('DELETE /v1/agents/')
      ? null
      : new Response('{"error":{"code":"internal","message":"Cannot be done now","status":500}}', {
          status: 500,
          headers: { 'Content-Type': 'application/json' },
        });
  const ran = await runWorkspace({ intercept: crash });
  const open = ran.ledger.toDelete();
  expect(open.length).toBeGreaterThan(1);
  expect(new Set(open.map(({ collection }) => collection))).toEqual(new Set(['/v1/agents']));
  const named = open.map(({ id }) => `/v1/agents/${id}`).join(', ');
  expect(ran.notes[0]).toMatch(/^Not deleted \(DELETE got 500.*\): .*\. npm run cleanup tries again/);
  expect(ran.notes[0]).toContain(named);
});

test('a create whose answer was lost is looked for by its words, and deleted', async () => {
  let lost = 0;
  const ran = await runWorkspace({
    between: async (answer, { call }) => {
      if (call !== 'POST /v1/bookings' || answer.status !== 201) {
        return answer;
      }
      lost += 1;
      return new Response('upstream timed out', { status: 504 });
    },
  });
  // Each of the two needed records is created once more.
  expect(lost).toBe(4);
  expect(ran.ledger.toDelete()).toEqual([]);
  const own = ran.reference.workspace.snapshot().bookings.filter((row) => JSON.stringify(row).includes('self11'));
  expect(own.filter(({ status }) => status !== 'cancelled')).toEqual([]);
});
