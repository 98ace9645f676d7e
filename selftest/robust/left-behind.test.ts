import { expect, test } from 'vitest';
import type { WireRequest } from '../../suites/session/transport/transport.ts';
import { type Between, refusing } from '../world/between.ts';
import { creating, run } from './run.ts';

test('records of the run are deleted, and leads, which cannot be deleted, are named', async () => {
  const { reference, ledger, notes } = await run(creating('workspace'));
  const left = reference.workspace.made();
  expect(left.map(({ collection }) => collection)).toEqual(['/v1/leads']);
  expect(ledger.toDelete()).toEqual([]);
  expect(notes).toEqual([`Left behind: 1 lead that the API cannot delete: ${left[0]?.id}`]);
});

test('a record that cannot be deleted is named with the reason, and stays in the ledger', async () => {
  const between = refusing(/^DELETE \/v1\/agents\//, () => 'Cannot be done now', 500);
  const { ledger, notes } = await run(creating('workspace'), { between });
  const open = ledger.toDelete();
  expect(open.length).toBeGreaterThan(1);
  expect(new Set(open.map(({ collection }) => collection))).toEqual(new Set(['/v1/agents']));
  expect(notes[0]).toMatch(/^Not deleted \(DELETE got 500.*\): .*\. npm run cleanup tries again/);
  expect(notes[0]).toContain(open.map(({ id }) => `/v1/agents/${id}`).join(', '));
});

test('safe-global/safe-client-gateway#3266: where an empty body labelled as JSON is refused, clean-up sends no label', async () => {
  const between: Between = (next, ...rest) => {
    const refuse = refusing(/^DELETE /, () => 'Body cannot be empty')(next, ...rest);
    const isLabelled = ({ headers }: WireRequest): boolean => headers.some(([name]) => name === 'Content-Type');
    return (request) => (isLabelled(request) ? refuse : next)(request);
  };
  const { ledger } = await run('workspace.agents.delete', { between });
  expect(ledger.toDelete()).toEqual([]);
});
