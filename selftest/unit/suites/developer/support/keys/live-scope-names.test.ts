import { expect, test } from 'vitest';
import { createTally } from '../../../../../../results/outcome.ts';
import { judgeLiveNames } from '../../../../../../suites/developer/support/keys/live-scope-names.ts';
import { openKeyAccount } from '../../key-account.ts';

test.each([
  ['no scope name is blamed where live keys have ten scopes at most', 'none', 0],
  ['a scope name is blamed that live keys refuse beside few others', 'content:read', 1],
])('%s', async (_, refusedName, failures) => {
  let liveRequests = 0;
  const session = openKeyAccount(({ environment, scopes }) => {
    liveRequests += environment === 'live' ? 1 : 0;
    // The lasting live key finds the account full.
    const isFull = environment === 'live' && liveRequests === 1;
    const isNameRefused = environment === 'live' && scopes.includes(refusedName);
    return isFull ? 403 : scopes.length > 10 || isNameRefused ? 400 : null;
  });
  const tally = createTally();
  await judgeLiveNames(session, tally);
  expect(tally.outcome().failures).toHaveLength(failures);
});

test('no scope name is blamed where the account is full when its key without other scopes is made', async () => {
  let liveRequests = 0;
  const session = openKeyAccount(({ environment, scopes }) => {
    liveRequests += environment === 'live' ? 1 : 0;
    const isFull = environment === 'live' && (liveRequests === 1 || (liveRequests > 3 && scopes.length < 3));
    return isFull ? 403 : scopes.length > 10 ? 400 : null;
  });
  const tally = createTally();
  await expect(judgeLiveNames(session, tally)).rejects.toThrow('Cannot judge the scope names of live keys');
  expect(tally.outcome().failures).toEqual([]);
});
