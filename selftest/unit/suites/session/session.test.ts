import { expect, test } from 'vitest';
import { step } from '../../../../suites/session/session.ts';
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
