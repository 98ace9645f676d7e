import { scopesWithout } from '../../contract/scopes.ts';
import { cameOf } from '../engine/expect.ts';
import { type Answer, callOf } from '../session/call.ts';
import type { ApiKey } from '../session/key.ts';
import type { Session } from '../session/session.ts';
import { neverIssued } from './auth.ts';
import { endpoint } from './calls.ts';
import { countingKeys, fallAround, remainingOf, sharing } from './key-or-account.ts';
import { keyLife, workingRead } from './lifecycle.ts';
import { keyWith } from './scopes.ts';

/** Which refused calls use up a key's budget, read off its Remaining: one call of each kind between two that count. */
export async function countedCalls(session: Session): Promise<Record<string, string>> {
  // Nobody else may call meanwhile, with these keys or, where budgets are shared, with any.
  await session.others;
  await sharing(session);
  const [{ key }] = await countingKeys(session);
  const probes: Record<string, () => Promise<Answer>> = {
    400: () => session.client.send(callOf(endpoint('POST /api/v1/inbox/draft'), key, { body: {}, purpose: 'refusal' })),
    401: async () =>
      session.client.send(
        callOf(endpoint(await workingRead(session)), neverIssued(session)[0] as ApiKey, { purpose: 'refusal' }),
      ),
    404: async () =>
      session.client.send(
        callOf(endpoint('GET /api/v1/developer/keys/:id/usage'), key, {
          id: (await keyLife(session)).own.id,
          purpose: 'refusal',
        }),
      ),
  };
  const seen: Record<string, string> = {};
  // One after the other: they are told apart by when Remaining falls.
  for (const [kind, probe] of Object.entries(probes)) {
    let answer: Answer | undefined;
    const fall = await fallAround(session, async () => {
      answer = await probe();
    });
    seen[kind] = answer?.status !== Number(kind) ? `not seen: ${answer ? cameOf(answer) : 'no call'}` : wordFor(fall);
  }
  return { ...seen, 403: await forbidden(session) };
}

const wordFor = (fall: number | null): string =>
  fall === null ? 'not told by the headers' : fall > 1 ? 'counts' : 'does not count';

/** A 403 counts on the key that lacks the scope: its own Remaining is watched. */
async function forbidden(session: Session): Promise<string> {
  const { key } = await keyWith(session, 'without ads', scopesWithout('ads'));
  const call = (): Promise<Answer> =>
    session.client.send(callOf(endpoint('GET /api/v1/ads/health-score'), key, { purpose: 'refusal' }));
  return wordForForbidden(await call(), await call());
}

/** Whether the second of two refusals took something off Remaining. */
export function wordForForbidden(first: Answer, second: Answer): string {
  if (first.status !== 403 || second.status !== 403) {
    return `not seen: ${cameOf(second)}`;
  }
  const fall = (remainingOf(first) ?? NaN) - (remainingOf(second) ?? NaN);
  return fall > 0 ? 'counts' : fall === 0 ? 'does not count' : 'not told by the headers';
}
