import type { Endpoint } from '../../contract/endpoint.ts';
import { createTally, judged, type Outcome } from '../../results/outcome.ts';
import { Inconclusive } from '../../results/stop.ts';
import type { Checks } from '../engine/engine.ts';
import { accepted, expectAccepted } from '../engine/expect.ts';
import { type Answer, callOf } from '../session/call.ts';
import { kinds, listing } from './endpoints.ts';
import { judgeForbidden } from './forbidden.ts';
import { emptyKey, neverIssued } from './keys.ts';
import { firstPage } from './lists.ts';
import { judgeRefusal, judgeRefusals } from './refusals.ts';
import { requireKey, type WorkspaceSession } from './session.ts';

/** One documented call that accepts the key is enough: whether each works is its own clause. */
async function judgeBearer(session: WorkspaceSession): Promise<Outcome> {
  let first: Answer | undefined;
  for (const kind of kinds) {
    const answer = await firstPage(session, kind);
    first ??= answer;
    if (accepted(answer)) {
      return judged(null);
    }
  }
  return judged(first ? expectAccepted(first, 'Key sent as a bearer token is not accepted') : null);
}

const otherWays = [
  ['in Basic authentication', 'basic'],
  ['in X-API-Key', 'header'],
  ['in the query', 'query'],
] as const;

async function judgeScheme(session: WorkspaceSession): Promise<Outcome> {
  const tally = createTally();
  const { endpoint, twin } = await guardedList(session);
  await Promise.all(
    otherWays.map(async ([name, mode]) => {
      const probe = await session.client.send(callOf(endpoint, session.key, { mode, purpose: 'refusal' }));
      judgeRefusal(tally, { probe, twin, endpoint, status: 401, what: `Key sent ${name} is not refused with 401` });
    }),
  );
  return tally.outcome();
}

/** A list that asks for a key at all: elsewhere it matters to nobody how one is sent. Throws Inconclusive where there is none. */
async function guardedList(session: WorkspaceSession): Promise<{ endpoint: Endpoint; twin: Answer }> {
  for (const kind of kinds) {
    const endpoint = listing(kind);
    const bare = await session.client.send(callOf(endpoint, null, { purpose: 'refusal' }));
    if (bare.status === 401) {
      return { endpoint, twin: await firstPage(session, kind) };
    }
  }
  throw new Inconclusive({
    message: 'How a key is sent cannot be judged: no list refuses a call without a key with 401',
    blames: 'workspace.auth.missing-key',
  });
}

/** Authentication: who is let in, and who is turned away. */
export const auth: Checks<WorkspaceSession> = {
  'workspace.auth.bearer': judgeBearer,

  'workspace.auth.missing-key': async (session) =>
    (
      await judgeRefusals(session, {
        purpose: 'a missing key',
        status: 401,
        forms: [{ name: 'without a key', call: { key: null } }],
      })
    ).outcome(),

  'workspace.auth.invalid-key': async (session) => {
    const [lookalike, altered] = neverIssued(session.key);
    return (
      await judgeRefusals(session, {
        purpose: 'an invalid key',
        status: 401,
        forms: [
          { name: 'with an unknown key', call: { key: lookalike } },
          { name: 'with a key of which one character is altered', call: { key: altered } },
          // An empty token is no key: what a missing one gets, wrong or not, is the other clause's.
          { name: 'with an empty bearer token', call: { key: emptyKey }, like: { key: null } },
        ],
      })
    ).outcome();
  },

  'workspace.auth.revoked-key': async (session) => {
    const key = requireKey(session, 'WORKSPACE_REVOKED_API_KEY');
    return (
      await judgeRefusals(session, {
        purpose: 'a revoked key',
        status: 401,
        forms: [{ name: 'with a revoked key', call: { key } }],
      })
    ).outcome();
  },

  'workspace.auth.forbidden': judgeForbidden,
  'workspace.auth.scheme': judgeScheme,
};
