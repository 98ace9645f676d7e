import { expect, test } from 'vitest';
import { Inconclusive } from '../../../../../results/stop.ts';
import { lendKey, standingKey } from '../../../../../suites/developer/keys/lending.ts';
import { openKeyAccount } from './key-account.ts';

test('in an account with room for one key beside the standing one, one waits until another is given back', async () => {
  const session = openKeyAccount((_, count) => (count >= 2 ? 403 : null));
  await standingKey(session);
  let lent = 0;
  let most = 0;
  const use = async (): Promise<string> => {
    lent += 1;
    most = Math.max(most, lent);
    await session.clock.sleep(1_000);
    lent -= 1;
    return 'used';
  };
  const borrow = (purpose: string) => lendKey(session, [purpose, ['ads:read']], use);
  expect(await Promise.all([borrow('one'), borrow('two'), borrow('three')])).toEqual(['used', 'used', 'used']);
  expect(most).toBe(1);
});

test('where no clause needs the first key, it makes room for one that is lent', async () => {
  const session = openKeyAccount((_, count) => (count >= 1 ? 403 : null));
  expect(await lendKey(session, ['one', ['ads:read']], async () => 'used')).toBe('used');
});

test.each([402, 403, 409])('a full account leaves it undecided, and says what to do: %s', async (status) => {
  const session = openKeyAccount(({ name }) => (name.endsWith('-main') ? null : status));
  const borrowed = lendKey(session, ['one', ['ads:read']], async () => 'used');
  const error: unknown = await borrowed.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Inconclusive);
  expect((error as Inconclusive).findings[0]).toMatchObject({
    advice: 'Delete unused keys and run again',
    blames: 'developer.keys.create',
  });
});
