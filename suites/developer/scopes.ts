import { developerEndpoints } from '../../contract/developer-endpoints.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { type Environment, type Prefix, prefixes, type Scope, scopesOf, scopesWithout } from '../../contract/scopes.ts';
import { createTally, type Tally } from '../../results/outcome.ts';
import { type Check, type Checks, resultOrNull, settle } from '../engine/check.ts';
import { expectAccepted, expectStatus, needAccepted } from '../engine/expect.ts';
import { saysFull } from '../records/bodies.ts';
import type { Answer } from '../session/call.ts';
import { mainKey, requireKey, type Session, send, step } from '../session/session.ts';
import { judgeLeftNothing, judgeRefusal, type Refusal, withParameter } from '../shared/refusals/refusals.ts';
import { markOf, plainMark, twinOf, twinWith } from './calls/twins.ts';
import { keysOfBothEnvironments } from './environments.ts';
import { environmentsOf, lendKey, mainEnvironment, mayBeDueToScopes, scopeAnswers } from './keys/making.ts';
import { mainKeyStory } from './keys/stories.ts';
import { shownWrites } from './refused-writes.ts';

/** Scope enforcement. */
export const scopes: Checks = {
  'developer.scopes.accepted': async (session, tally) => {
    const [main, ...others] = environmentsOf(session);
    judgeAnswers(tally, await scopeAnswers(session, main), 'a key');
    await tally.inTurn(others, async (live) => judgeAnswers(tally, await scopeAnswers(session, live), 'a live key'));
  },

  ...Object.fromEntries(prefixes.map((prefix) => [`developer.scopes.${prefix}`, judgeModule(prefix)])),

  'developer.scopes.no-effect': (session, tally) =>
    tally.inTurn(
      shownWrites.flatMap((write) => environmentsOf(session).map((environment) => [environment, ...write] as const)),
      async ([environment, prefix, endpoint, list]) => {
        const { refusals, twinWords, reader } = await callsWithoutScopes(session, prefix, environment);
        const writes = refusals.flatMap((call) => (call.endpoint.id === endpoint ? [{ ...call, endpoint }] : []));
        await judgeLeftNothing(session, tally, writes, {
          list,
          twinWords,
          reader,
          blames: `developer.scopes.${prefix}`,
        });
      },
    ),

  // By endpoint of a module: whether the six read scopes or the six write scopes open it.
  'developer.scopes.read-write': async (session) => {
    const scoped = developerEndpoints.filter(({ scope }) => scope !== null);
    const answersWith = (access: 'read' | 'write'): Promise<ReadonlyMap<string, Answer>> => {
      const chosen = prefixes.map((prefix): Scope => `${prefix}:${access}`);
      return callsWithScopes(session, `all ${access}`, chosen, scoped);
    };
    const withRead = await answersWith('read');
    const withWrite = await answersWith('write');
    const opens = (answer?: Answer): boolean => answer !== undefined && answer.status !== 403;
    return Object.fromEntries(
      [...withRead].map(([endpoint, answer]) => {
        const openers = [opens(answer) ? 'read' : '', opens(withWrite.get(endpoint)) ? 'write' : ''];
        return [endpoint, openers.filter((one) => one !== '').join(' or ') || 'neither alone'] as const;
      }),
    );
  },
};

/** Names are judged beside one another: where no key can be created at all, no name is to blame. */
function judgeAnswers(tally: Tally, answers: ReadonlyMap<Scope, Answer>, made: string): void {
  const [first] = answers.values();
  if (first !== undefined && ![...answers.values()].some(({ accepted }) => accepted)) {
    needAccepted(first, `Cannot judge scope names: not even ${made} can be created`, 'developer.keys.create');
  }
  for (const [scope, answer] of answers) {
    if (answer.accepted || (mayBeDueToScopes(answer) && !saysFull(answer))) {
      tally.judge(expectAccepted(answer, `Scope name ${scope} was rejected when creating ${made}`));
    } else {
      tally.leaveOpen({ message: `Cannot judge scope name ${scope}: its key was refused for another reason` });
    }
  }
}

/** A key without the scopes of a module gets 403 there, in both environments, and a key with both does not. */
function judgeModule(prefix: Prefix): Check {
  return async (session, tally) => {
    await tally.inTurn(environmentsOf(session), async (environment) => {
      const calls = await callsWithoutScopes(session, prefix, environment);
      for (const refusal of calls.refusals) {
        judgeRefusal(tally, refusal);
      }
      for (const probe of calls.others) {
        const live = environment === mainEnvironment(session) ? '' : 'live ';
        const what = `A ${live}key without ${prefix} scopes, in the query or with a parameter,`;
        tally.judge(...(probe.accepted ? [expectStatus(probe, 403, what)] : []));
      }
    });
    // Accepted calls show nothing about refusing others: without one decided refusal the clause stays open.
    const isOpen = tally.outcome().compared === 0;
    const admission = createTally();
    await admission.part(async () => {
      const answers = await callsWithScopes(session, `only ${prefix}`, scopesOf(prefix), endpointsOf(prefix));
      for (const answer of answers.values()) {
        const refused = `Key with both ${prefix} scopes is refused`;
        admission.judge(answer.status === 403 ? expectAccepted(answer, refused) : null);
      }
      // A long list of scopes may be cut off where it is stored.
      const { uses = [] } = (await resultOrNull(mainKeyStory(session))) ?? {};
      const isOfModule = (one: Answer): boolean => endpointsOf(prefix).some(({ id }) => id === one.exchange.endpoint);
      const refused = uses.find((one) => one?.status === 403 && isOfModule(one));
      admission.judge(refused ? expectAccepted(refused, `Key with all scopes is refused by ${prefix}`) : null);
    });
    tally.add({ ...admission.outcome(), ...(isOpen ? { compared: 0 } : {}) });
  };
}

// Calls with keys that have some scopes. Their twins come before such a key is made: that may take minutes.

/** The documented calls of a module. */
const endpointsOf = (prefix: Prefix): readonly Endpoint[] => developerEndpoints.filter(({ scope }) => scope === prefix);

/**
 * Calls each endpoint of a module with a key that has the scopes of the other five: `refusals`, each beside its twin,
 * with words that are in its body alone, and `others`: the first of these calls in query mode, and each that takes
 * parameters with one of them, which other code may answer. `reader` sent the twins, with `twinWords` in their bodies.
 * Throws Skipped where no key of the environment has all scopes, and as `lendKey` does.
 */
const callsWithoutScopes = step(async (session, prefix: Prefix, environment: Environment) => {
  const isMain = environment === mainEnvironment(session);
  const endpoints = endpointsOf(prefix);
  const [first] = endpoints as [Endpoint, ...Endpoint[]];
  const [, live] = await keysOfBothEnvironments(session, first.id);
  const reader = isMain ? mainKey(session) : (live ?? requireKey(session, 'LIVE_API_KEY'));
  const twins = new Map<Endpoint, Answer>();
  for (const endpoint of endpoints) {
    const twin = await resultOrNull(twinWith(session, endpoint.id, reader));
    // In live, which values a write takes is open: a refusal beside a refused twin proves nothing.
    if (twin !== null && (isMain || twin.accepted)) {
      twins.set(endpoint, twin);
    }
  }
  const label = `${isMain ? '' : 'live '}without ${prefix}`;
  return lendKey(session, [label, scopesWithout(prefix), environment], async ({ key }) => {
    const words = markOf(session, label);
    const what = `A ${isMain ? '' : 'live '}key without ${prefix} scopes`;
    const refusals: (Refusal & { readonly words: string })[] = [];
    // One after the other: each 403 may be that of a lockout, which one control read tells for those that follow.
    for (const [endpoint, twin] of twins) {
      const probe = await (await session.api.arrange(session, endpoint, label)).send({ key });
      refusals.push({ endpoint, probe, twin, status: 403, what, words });
    }
    const inQuery = await (await session.api.arrange(session, first, `query ${label}`)).send({ key, mode: 'query' });
    const withOne = withParameter(endpoints).map(({ id, query }) =>
      send(session, id, { key, query, purpose: 'refusal' }),
    );
    const others = [inQuery, ...(await Promise.all(withOne))];
    return { refusals, others, reader, twinWords: plainMark(session, reader) };
  });
});

/** By endpoint, the answer to its twin, sent with a key that has some scopes, as far as it can be made. */
async function callsWithScopes(
  session: Session,
  label: string,
  chosen: readonly Scope[],
  endpoints: readonly Endpoint[],
): Promise<ReadonlyMap<string, Answer>> {
  await settle(...endpoints.map(({ id }) => twinOf(session, id)));
  return lendKey(session, [label, chosen], async ({ key }) => {
    const answers = new Map<string, Answer>();
    for (const { id } of endpoints) {
      const twin = await resultOrNull(twinOf(session, id));
      const answer = twin && (await resultOrNull(send(session, id, { key, body: twin.body })));
      if (answer !== null) {
        answers.set(id, answer);
      }
    }
    return answers;
  });
}
