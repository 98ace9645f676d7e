import { expect, test } from 'vitest';
import {
  attributeToClause,
  type Caller,
  clausesServed,
  currentCaller,
} from '../../../../suites/session/attribution.ts';
import type { Session } from '../../../../suites/session/session.ts';
import { step, stepFor } from '../../../../suites/session/step.ts';
import { testSession } from '../../test-session.ts';

const open = (): Session => testSession('developer');

test('equal parameters share a result', async () => {
  const session = open();
  const asked: number[] = [];
  const half = stepFor(
    (number: number) => String(Math.floor(number)),
    async (_, number) => {
      asked.push(number);
      return number / 2;
    },
  );
  expect(await Promise.all([half(session, 2.5), half(session, 2.9), half(session, 4)])).toEqual([1.25, 1.25, 2]);
  expect(asked).toEqual([2.5, 4]);
});

test('a failure is shared: every clause that needs the step learns the same cause', async () => {
  const session = open();
  let tries = 0;
  const broken = step(async (): Promise<void> => {
    tries += 1;
    throw new Error('Cannot be made');
  });
  await expect(broken(session)).rejects.toThrow('Cannot be made');
  await expect(broken(session)).rejects.toThrow('Cannot be made');
  expect(tries).toBe(1);
});

test('the calls of a step serve all clauses that ask for it, even through other steps, beginning with the first one', async () => {
  const session = open();
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
