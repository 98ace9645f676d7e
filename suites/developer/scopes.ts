import { developerEndpoints } from '../../contract/developer-endpoints.ts';
import {
  type Access,
  scopes as allScopes,
  type Environment,
  type Prefix,
  type Scope,
  scopesOf,
} from '../../contract/scopes.ts';
import { createTally, type Outcome, observed, type Tally } from '../../results/outcome.ts';
import { Inconclusive } from '../../results/stop.ts';
import type { Check, Checks } from '../engine/check.ts';
import { describeAnswer } from '../engine/describe-answer.ts';
import { expectAccepted, expectStatus, undecided } from '../engine/expect.ts';
import { judgeInTurn, judgePart, resultOrNull } from '../engine/parts.ts';
import type { Answer } from '../session/answer.ts';
import type { Session } from '../session/session.ts';
import { judgeLeftNothing } from '../shared/refusals/no-effect.ts';
import { judgeRefusal } from '../shared/refusals/refusals.ts';
import { twinOf } from './calls/twins.ts';
import { mainEnvironment, scopeNames, tryScopes } from './keys/creation.ts';
import { liveKey } from './keys/lending.ts';
import { callsWithoutScopes, callsWithScopes, endpointsOf } from './lacking-scopes.ts';
import { shownWrites } from './refused-writes.ts';

/** Scope enforcement. */
export const scopes: Checks = {
  'developer.scopes.accepted': judgeNames,

  'developer.scopes.ads': judgeModule('ads'),
  'developer.scopes.investor': judgeModule('investor'),
  'developer.scopes.scheduling': judgeModule('scheduling'),
  'developer.scopes.inbox': judgeModule('inbox'),
  'developer.scopes.routing': judgeModule('routing'),
  'developer.scopes.content': judgeModule('content'),

  'developer.scopes.no-effect': (session) =>
    judgeInTurn(
      shownWrites.flatMap((write) => environmentsOf(session).map((environment) => [environment, ...write] as const)),
      async (tally, [environment, prefix, endpoint, list]) => {
        const { refusals, twinWords, reader } = await callsWithoutScopes(session, prefix, environment);
        const writes = refusals.filter((call) => call.endpoint.id === endpoint);
        const clause = `developer.scopes.${prefix}`;
        const marked = writes.map((call) => ({ ...call, endpoint, clause }));
        await judgeLeftNothing(session, tally, marked, { list, twinWords, reader });
      },
    ),

  'developer.scopes.read-write': async (session) => observed(await scopesThatOpen(session)),
};

/** The main environment, and live. */
const environmentsOf = (session: Session): readonly Environment[] => [
  ...new Set([mainEnvironment(session), 'live'] as const),
];

/** Names are judged beside one another: where no key can be created at all, no name is to blame. */
async function judgeNames(session: Session): Promise<Outcome> {
  const { accepted, refused, allAtOnce, isAnyAccepted } = await scopeNames(session);
  if (!isAnyAccepted) {
    const message = `Cannot judge scope names: no key can be created at all: ${describeAnswer(allAtOnce)}`;
    throw undecided(allAtOnce, message, 'developer.keys.create');
  }
  const tally = createTally();
  for (const scope of allScopes) {
    const answer = refused.get(scope);
    if (answer !== undefined) {
      tally.judge(expectAccepted(answer, `Scope name ${scope} was rejected when creating a key`));
    } else if (accepted.includes(scope)) {
      tally.judge(null);
    } else {
      tally.leaveOpen({ message: `Cannot judge scope name ${scope}: its key was refused for another reason` });
    }
  }
  await judgePart(tally, () => judgeLiveNames(session, tally, accepted));
  return tally.outcome();
}

/**
 * The names that are accepted are accepted for live keys, too. Where a live key with all of them can be made, they are;
 * otherwise each is tried by itself. Throws Skipped where no live key may be made, Inconclusive where none can.
 */
async function judgeLiveNames(session: Session, tally: Tally, accepted: readonly Scope[]): Promise<void> {
  if (mainEnvironment(session) === 'live' || (await resultOrNull(liveKey(session))) !== null) {
    return;
  }
  const answers = [...(await tryScopes(session, accepted, 'live'))];
  const isAnyAccepted = answers.some(([, answer]) => answer.accepted);
  for (const [scope, answer] of answers) {
    if (!isAnyAccepted || (!answer.accepted && answer.status !== 400)) {
      throw undecided(answer, 'Cannot judge the scope names of live keys', 'developer.keys.create');
    }
    tally.judge(expectAccepted(answer, `Scope name ${scope} was rejected when creating a live key`));
  }
}

/** A key without the scopes of a module gets 403 there, in both environments, and a key with both does not. */
function judgeModule(prefix: Prefix): Check {
  return async (session) => {
    const refusals = await judgeInTurn(environmentsOf(session), async (tally, environment) => {
      const { refusals, others } = await callsWithoutScopes(session, prefix, environment);
      for (const refusal of refusals) {
        judgeRefusal(tally, refusal);
      }
      for (const { how, probe } of others) {
        tally.judge(...(probe.accepted ? [expectStatus(probe, 403, `A key without ${prefix} scopes, ${how},`)] : []));
      }
    });
    const tally = createTally();
    tally.add(refusals);
    await judgePart(tally, () => judgeAdmission(session, prefix, tally));
    // Accepted calls show nothing about refusing others: without one decided refusal the clause stays open.
    return refusals.compared === 0 ? { ...tally.outcome(), compared: 0 } : tally.outcome();
  };
}

/** A key with both scopes of the module and no others is not refused. */
async function judgeAdmission(session: Session, prefix: Prefix, tally: Tally): Promise<void> {
  const { accepted } = await scopeNames(session);
  if (scopesOf(prefix).some((scope) => !accepted.includes(scope))) {
    const message = `Key with both ${prefix} scopes cannot be created`;
    throw new Inconclusive({ message, blames: 'developer.scopes.accepted' });
  }
  const answers = await callsWithScopes(session, `only ${prefix}`, scopesOf(prefix), endpointsOf(prefix));
  const isKnown = [...answers.values()].some((answer) => answer.accepted);
  for (const [endpoint, answer] of answers) {
    // A 401 counts only where the key is known and this call, whose twin is accepted, refuses it for its scopes.
    const isRefused = answer.status === 401 && isKnown && (await twinOf(session, endpoint)).answer.accepted;
    const failure = expectAccepted(answer, `Key with both ${prefix} scopes is refused`);
    tally.judge(isRefused || answer.status === 403 ? failure : null);
  }
}

/** By endpoint of a module: whether the six read scopes or the six write scopes open it. */
async function scopesThatOpen(session: Session): Promise<Record<string, string>> {
  const scoped = developerEndpoints.filter(({ scope }) => scope !== null);
  const answersWith = (access: Access): Promise<ReadonlyMap<string, Answer>> => {
    const chosen = allScopes.filter((scope) => scope.endsWith(`:${access}`));
    return callsWithScopes(session, `all ${access}`, chosen, scoped);
  };
  const [withRead, withWrite] = [await answersWith('read'), await answersWith('write')];
  return Object.fromEntries(
    [...withRead].map(([endpoint, answer]) => [endpoint, opener(answer, withWrite.get(endpoint) ?? null)] as const),
  );
}

function opener(withRead: Answer, withWrite: Answer | null): string {
  const readOpens = withRead.status !== 403;
  const writeOpens = withWrite !== null && withWrite.status !== 403;
  if (readOpens && writeOpens) {
    return withRead.accepted ? 'either' : `either (${describeAnswer(withRead)})`;
  }
  if (readOpens) {
    return 'read';
  }
  return writeOpens ? 'write' : 'neither alone';
}
