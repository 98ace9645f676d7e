import { expect, test } from 'vitest';
import {
  attributeToClause,
  type Caller,
  clausesServed,
  currentCaller,
} from '../../../../suites/session/attribution.ts';
import { step } from '../../../../suites/session/step.ts';
import { testSession } from '../../test-session.ts';

// That a result is shared, the bounds of plans in selftest/proof show.
test('a failure is shared: every clause that needs the step learns the same cause', async () => {
  const session = testSession('developer');
  let tries = 0;
  const broken = step(async (): Promise<void> => {
    throw new Error(`Cannot be made: ${(tries += 1)}`);
  });
  await expect(broken(session)).rejects.toThrow('Cannot be made: 1');
  await expect(broken(session)).rejects.toThrow('Cannot be made: 1');
});

test('the calls of a step serve all clauses that ask for it, even through other steps, beginning with the first one', async () => {
  const session = testSession('developer');
  let caller: Caller | undefined;
  const inner = step(async () => {
    await Promise.resolve();
    caller = currentCaller();
  });
  const outer = step((one) => inner(one));
  await attributeToClause('first', () => outer(session));
  await attributeToClause('second', () => inner(session));
  await attributeToClause('third', () => outer(session));
  expect([caller?.clause, clausesServed(caller).toSorted()]).toEqual(['first', ['first', 'second', 'third']]);
});
