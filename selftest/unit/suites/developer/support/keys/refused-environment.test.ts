import { expect, test } from 'vitest';
import { scopes } from '../../../../../../contract/scopes.ts';
import { makeKey } from '../../../../../../suites/developer/support/keys/make-key.ts';
import { openKeyAccount } from '../../key-account.ts';

test.each([
  ['a live key is not waited for where a sandbox key is made and a live one refused', 100, false, false],
  ['a live key is not waited for where no key can be made', 0, true, false],
  ['a live key is made where it may', 100, true, true],
])('%s', async (_, room, makesLive, isMade) => {
  const session = openKeyAccount(({ environment }, count) =>
    count >= room || (environment === 'live' && !makesLive) ? 403 : null,
  );
  const outcome = await makeKey(session, 'live', scopes, { environment: 'live' }).then(
    () => true,
    () => false,
  );
  expect(outcome).toBe(isMade);
  expect(session.clock.now() - session.openedAt).toBeLessThan(15_000);
});
