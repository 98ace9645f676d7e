import { developerEndpoints } from '../../contract/developer-endpoints.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { type Access, scopes as allScopes, type Prefix, type Scope, scopesOf } from '../../contract/scopes.ts';
import { createTally, type Outcome, observed, type Tally } from '../../results/outcome.ts';
import { Inconclusive } from '../../results/stop.ts';
import type { Check, Checks } from '../engine/check.ts';
import { describeAnswer } from '../engine/describe-answer.ts';
import { expectAccepted, expectStatus, undecided } from '../engine/expect.ts';
import { judgeInTurn, judgePart, resultOrNull, settle } from '../engine/parts.ts';
import type { Answer } from '../session/answer.ts';
import { callOf } from '../session/call.ts';
import type { ApiKey } from '../session/key.ts';
import type { Session } from '../session/session.ts';
import { judgeLeftNothing } from '../shared/refusals/no-effect.ts';
import { judgeRefusal } from '../shared/refusals/refusals.ts';
import { twinOf } from './calls/twins.ts';
import { mainEnvironment, scopeNames, tryScopes } from './keys/creation.ts';
import { lendKey, liveKey } from './keys/lending.ts';
import { callsWithoutScopes, endpointsOf, liveCallsWithoutScopes, type UnscopedCall } from './lacking-scopes.ts';
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
    judgeInTurn(shownWrites, async (tally, [prefix, endpoint, list]) => {
      await judgeUnscoped(session, tally, prefix, async (call) => {
        if (call.endpoint.id === endpoint) {
          const write = { ...call, endpoint, clause: `developer.scopes.${prefix}` };
          await judgeLeftNothing(session, tally, [write], { ...call, list });
        }
      });
    }),

  'developer.scopes.read-write': async (session) => observed(await scopesThatOpen(session)),
};

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

/** Judges each call to a module with a key that lacks its scopes: a main one, and a live one. */
async function judgeUnscoped(
  session: Session,
  tally: Tally,
  prefix: Prefix,
  judge: (call: UnscopedCall) => Promise<void> | void,
): Promise<void> {
  const main = async (): Promise<readonly UnscopedCall[]> => (await callsWithoutScopes(session, prefix)).refusals;
  for (const calls of [main, () => liveCallsWithoutScopes(session, prefix)]) {
    await judgePart(tally, async () => {
      for (const call of await calls()) {
        await judge(call);
      }
    });
  }
}

/** A key without the scopes of a module gets 403 there, and a key with both does not. */
function judgeModule(prefix: Prefix): Check {
  return async (session) => {
    const tally = createTally();
    await judgeUnscoped(session, tally, prefix, (call) => judgeRefusal(tally, call));
    await judgePart(tally, async () => {
      // In query mode or with a parameter it is not accepted either, whatever it gets.
      for (const { how, probe } of (await callsWithoutScopes(session, prefix)).others) {
        tally.judge(...(probe.accepted ? [expectStatus(probe, 403, `A key without ${prefix} scopes, ${how},`)] : []));
      }
    });
    const refusals = tally.outcome();
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
  const endpoints = endpointsOf(prefix);
  await makeTwins(session, endpoints);
  await lendKey(session, [`only ${prefix}`, scopesOf(prefix)], async ({ key }) => {
    const answers: Answer[] = [];
    await Promise.all(
      endpoints.map((endpoint) =>
        judgePart(tally, async () => {
          answers.push(await sendTwinAs(session, endpoint, key));
        }),
      ),
    );
    const isKnown = answers.some(({ accepted }) => accepted);
    for (const answer of answers) {
      // A 401 counts only where the key is known and this call refuses it for its scopes.
      const isRefused = answer.status === 403 || (isKnown && (await isRefusedUnlikeTwin(session, answer)));
      tally.judge(isRefused ? expectAccepted(answer, `Key with both ${prefix} scopes is refused`) : null);
    }
  });
}

/** Whether a call got 401 whose twin, with the main key, was accepted. */
const isRefusedUnlikeTwin = async (session: Session, { status, exchange }: Answer): Promise<boolean> =>
  status === 401 && (await twinOf(session, exchange.endpoint ?? '')).answer.accepted;

/**
 * Sends the twins of endpoints before a key is lent for them: that may take minutes, and the key would take the room of
 * a full account.
 */
const makeTwins = (session: Session, endpoints: readonly Endpoint[]): Promise<void> =>
  settle(...endpoints.map(({ id }) => twinOf(session, id)));

/** Sends the twin of an endpoint with another key. */
async function sendTwinAs(session: Session, endpoint: Endpoint, key: ApiKey): Promise<Answer> {
  const { body } = await twinOf(session, endpoint.id);
  return session.client.send(callOf(endpoint, key, { body }));
}

/** By endpoint of a module: whether the six read scopes or the six write scopes open it. */
async function scopesThatOpen(session: Session): Promise<Record<string, string>> {
  const [withRead, withWrite] = await Promise.all([answersWith(session, 'read'), answersWith(session, 'write')]);
  return Object.fromEntries(
    [...withRead].map(([endpoint, answer]) => [endpoint, opener(answer, withWrite.get(endpoint) as Answer)] as const),
  );
}

/** By endpoint of a module: the answer to a key with the six scopes of one kind. */
async function answersWith(session: Session, access: Access): Promise<Map<string, Answer>> {
  const chosen = allScopes.filter((scope) => scope.endsWith(`:${access}`));
  const scoped = developerEndpoints.filter(({ scope }) => scope !== null);
  await makeTwins(session, scoped);
  return lendKey(session, [`all ${access}`, chosen], async ({ key }) => {
    const answers = scoped.map(async (one) => [one.id, await sendTwinAs(session, one, key)] as const);
    return new Map(await Promise.all(answers));
  });
}

function opener(withRead: Answer, withWrite: Answer): string {
  const readOpens = withRead.status !== 403;
  const writeOpens = withWrite.status !== 403;
  if (readOpens && writeOpens) {
    return withRead.accepted ? 'either' : `either (${describeAnswer(withRead)})`;
  }
  if (readOpens) {
    return 'read';
  }
  return writeOpens ? 'write' : 'neither alone';
}
