import { developerEndpoints } from '../../contract/developer-endpoints.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { scopes as allScopes, type Prefix, scopesOf } from '../../contract/scopes.ts';
import { createTally, observed, type Tally } from '../../results/outcome.ts';
import { Inconclusive } from '../../results/stop.ts';
import type { Check, Checks } from '../engine/check.ts';
import { describeAnswer, expectAccepted, expectStatus, undecided } from '../engine/expect.ts';
import { judgePart, settle } from '../engine/parts.ts';
import type { Answer } from '../session/answer.ts';
import { callOf } from '../session/call.ts';
import type { ApiKey } from '../session/key.ts';
import { mainKey } from '../session/keys.ts';
import { send } from '../session/send.ts';
import type { Session } from '../session/session.ts';
import { stepFor } from '../session/step.ts';
import { judgeNoEffect } from '../shared/no-effect.ts';
import { read } from '../shared/reads.ts';
import { judgeRefusal, type Refusal } from '../shared/refusals.ts';
import { acceptedMark, refusedMark } from './support/bodies.ts';
import { keysOfBothEnvironments } from './support/environments.ts';
import { keyWith, keyWithout, makeKey, scopeNames } from './support/make-key.ts';
import type { OwnKey } from './support/own-key.ts';
import { shownWrites } from './support/refused-writes.ts';
import { twinOf } from './support/twins.ts';

/** Scope enforcement. */
export const scopes: Checks = {
  'developer.scopes.accepted': async (session) => {
    const tally = createTally();
    await judgePart(tally, () => judgeNames(session, tally));
    return tally.outcome();
  },

  'developer.scopes.ads': judgeModule('ads'),
  'developer.scopes.investor': judgeModule('investor'),
  'developer.scopes.scheduling': judgeModule('scheduling'),
  'developer.scopes.inbox': judgeModule('inbox'),
  'developer.scopes.routing': judgeModule('routing'),
  'developer.scopes.content': judgeModule('content'),

  'developer.scopes.no-effect': async (session) => {
    const tally = createTally();
    await settle(...shownWrites.map(([prefix]) => refusalsOf(session, prefix)));
    // What was queued may take a moment to show.
    await session.clock.sleep(session.settings.KEY_SETTLE_MS);
    for (const [prefix, endpoint, list] of shownWrites) {
      await judgePart(tally, () => judgeWithoutEffect(session, tally, { prefix, endpoint, list }));
    }
    return tally.outcome();
  },

  'developer.scopes.read-write': async (session) => observed(await openedBy(session)),
};

const endpointsOf = (prefix: Prefix): Endpoint[] => developerEndpoints.filter(({ scope }) => scope === prefix);

/** Each endpoint of a module called with the key that holds the other five modules' scopes. */
const refusalsOf = stepFor(
  (prefix: Prefix) => prefix,
  async (session, prefix): Promise<Refusal[]> => {
    const { key } = await keyWithout(session, prefix);
    await assertKnown(session, prefix, key);
    return Promise.all(
      endpointsOf(prefix).map(async (endpoint) => {
        const call = await session.api.arrange(session, endpoint, `without ${prefix}`);
        const what = `Key without ${prefix} scopes is not refused with 403`;
        return { endpoint, twin: await call.twin(), probe: await call.send({ key }), status: 403, what };
      }),
    );
  },
);

/** A key that the deployment does not know says nothing about scopes: it is tried where no scope is needed. Throws Inconclusive. */
async function assertKnown(session: Session, prefix: Prefix, key: ApiKey): Promise<void> {
  const answer = await send(session, 'GET /api/v1/developer/keys', { key });
  if (answer.status === 401) {
    const message = `Key without ${prefix} scopes is refused everywhere: ${describeAnswer(answer)}`;
    throw undecided(answer, message, 'developer.keys.create');
  }
}

function judgeModule(prefix: Prefix): Check {
  return async (session) => {
    const tally = createTally();
    await judgePart(tally, async () => {
      for (const refusal of await refusalsOf(session, prefix)) {
        judgeRefusal(tally, refusal);
      }
    });
    await judgePart(tally, () => judgeInQuery(session, prefix, tally));
    await judgePart(tally, () => judgeLive(session, prefix, tally));
    const refusals = tally.outcome();
    await judgePart(tally, () => judgeLetIn(session, prefix, tally));
    // Letting keys in shows nothing about refusing them: without one decided refusal the clause stays open.
    return refusals.compared === 0 ? { ...tally.outcome(), compared: 0 } : tally.outcome();
  };
}

/** The same key in the query lets nobody in either. What else the query mode does is the matter of developer.auth.query. */
async function judgeInQuery(session: Session, prefix: Prefix, tally: Tally): Promise<void> {
  const [endpoint] = endpointsOf(prefix) as [Endpoint];
  const { key } = await keyWithout(session, prefix);
  const call = await session.api.arrange(session, endpoint, `in the query without ${prefix}`);
  const probe = await call.send({ key, mode: 'query' });
  if (probe.accepted) {
    tally.judge(expectStatus(probe, 403, `Key without ${prefix} scopes, sent in the query, is not refused with 403`));
  }
}

/** Half of the modules each: one half has no scopes of any module that is not in it. */
const halves: readonly (readonly Prefix[])[] = [
  ['ads', 'investor', 'scheduling'],
  ['inbox', 'routing', 'content'],
];

/** A live key that holds three other modules' scopes. */
const liveKeyWithout = async (session: Session, prefix: Prefix): Promise<ApiKey> => {
  const others = halves.find((half) => !half.includes(prefix)) ?? [];
  return (await liveKeyWith(session, others)).key;
};

const liveKeyWith = stepFor(
  (prefixes: readonly Prefix[]) => prefixes.join(' '),
  (session, prefixes): Promise<OwnKey> =>
    makeKey(session, `live, ${prefixes.join(' ')}`, prefixes.flatMap(scopesOf), 'live'),
);

/** The same with a live key, on reads beside a live key that has the scopes; a write may not be let in. */
async function judgeLive(session: Session, prefix: Prefix, tally: Tally): Promise<void> {
  if (mainKey(session).environment === 'live') {
    return;
  }
  const key = await liveKeyWithout(session, prefix);
  await assertKnown(session, prefix, key);
  const what = `Live key without ${prefix} scopes is not refused with 403`;
  for (const endpoint of endpointsOf(prefix)) {
    await judgePart(tally, async () => {
      if (endpoint.method === 'GET') {
        const [, live] = await keysOfBothEnvironments(session, endpoint.id);
        const twin = await read(session, endpoint.id, live === undefined ? {} : { key: live });
        judgeRefusal(tally, { endpoint, twin, probe: await read(session, endpoint.id, { key }), status: 403, what });
      } else {
        const call = await session.api.arrange(session, endpoint, `live without ${prefix}`);
        const probe = await call.send({ key });
        tally.judge(...(probe.accepted ? [expectStatus(probe, 403, what)] : []));
      }
    });
  }
}

/** A key with both scopes of the module and no others is let in: the clause's other half. */
async function judgeLetIn(session: Session, prefix: Prefix, tally: Tally): Promise<void> {
  const { taken } = await scopeNames(session);
  if (scopesOf(prefix).some((scope) => !taken.includes(scope))) {
    throw new Inconclusive({
      message: `Key with both ${prefix} scopes cannot be made`,
      blames: 'developer.scopes.accepted',
    });
  }
  const { key } = await keyWith(session, `only ${prefix}`, scopesOf(prefix));
  await Promise.all(
    endpointsOf(prefix).map((endpoint) =>
      judgePart(tally, async () => {
        const answer = await twinAs(session, endpoint, key);
        tally.judge(answer.status === 403 ? expectAccepted(answer, `Key with both ${prefix} scopes is refused`) : null);
      }),
    ),
  );
}

/** The twin's call, to the letter, with another key. */
async function twinAs(session: Session, endpoint: Endpoint, key: ApiKey): Promise<Answer> {
  const { body } = await twinOf(session, endpoint.id);
  return session.client.send(callOf(endpoint, key, { body }));
}

/** Names are judged beside one another: where no key can be made at all, no name is to blame. */
async function judgeNames(session: Session, tally: Tally): Promise<void> {
  const { refused, atOnce } = await scopeNames(session);
  if (!atOnce.accepted && (refused.size === 0 || refused.size === allScopes.length)) {
    const message = `Scope names cannot be judged: no key can be made at all: ${describeAnswer(atOnce)}`;
    throw undecided(atOnce, message, 'developer.keys.create');
  }
  for (const scope of allScopes) {
    const answer = refused.get(scope);
    tally.judge(answer ? expectAccepted(answer, `Scope name ${scope} is not accepted at key creation`) : null);
  }
}

async function judgeWithoutEffect(
  session: Session,
  tally: Tally,
  { prefix, endpoint, list }: { readonly prefix: Prefix; readonly endpoint: string; readonly list: string },
): Promise<void> {
  const refusals = await refusalsOf(session, prefix);
  const { probe } = refusals.find((one) => one.endpoint.id === endpoint) as Refusal;
  await judgeNoEffect(session, tally, {
    endpoint,
    list,
    answer: probe,
    status: 403,
    words: refusedMark(session, `without ${prefix}`),
    acceptedWords: acceptedMark(session),
    clause: `developer.scopes.${prefix}`,
  });
}

/** For each endpoint of a module, whether the six read scopes or the six write scopes open it. */
async function openedBy(session: Session): Promise<Record<string, string>> {
  const keyOf = (access: string): Promise<OwnKey> =>
    keyWith(
      session,
      `all ${access}`,
      allScopes.filter((scope) => scope.endsWith(`:${access}`)),
    );
  const [reader, writer] = await Promise.all([keyOf('read'), keyOf('write')]);
  const rows = await Promise.all(
    developerEndpoints
      .filter(({ scope }) => scope !== null)
      .map(async (endpoint) => {
        const [byRead, byWrite] = await Promise.all([
          twinAs(session, endpoint, reader.key),
          twinAs(session, endpoint, writer.key),
        ]);
        return [endpoint.id, opener(byRead, byWrite)] as const;
      }),
  );
  return Object.fromEntries(rows);
}

function opener(byRead: Answer, byWrite: Answer): string {
  const [readOpens, writeOpens] = [byRead.status !== 403, byWrite.status !== 403];
  if (readOpens && writeOpens) {
    return byRead.accepted ? 'either' : `either (${describeAnswer(byRead)})`;
  }
  if (readOpens) {
    return 'read';
  }
  return writeOpens ? 'write' : 'neither alone';
}
