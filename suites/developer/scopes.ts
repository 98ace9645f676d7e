import { walk } from '../../common/json.ts';
import { developerEndpoints } from '../../contract/developer-endpoints.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import {
  scopes as allScopes,
  modules,
  type Prefix,
  type Scope,
  scopesOf,
  scopesWithout,
} from '../../contract/scopes.ts';
import { createTally, observed, type Tally } from '../../results/outcome.ts';
import { Inconclusive } from '../../results/stop.ts';
import type { Check, Checks } from '../engine/engine.ts';
import { accepted, cameOf, expectAccepted, expectStatus, findingOn } from '../engine/expect.ts';
import { partly } from '../engine/partly.ts';
import { type Answer, callOf } from '../session/call.ts';
import type { ApiKey } from '../session/key.ts';
import type { Session } from '../session/session.ts';
import { endpoint, mainKey, marker } from './calls.ts';
import { exemplar } from './exemplars.ts';
import { makeKey, scopeNames } from './make-key.ts';
import type { OwnKey } from './own-keys.ts';
import { callAs, judgeRefusal } from './refusals.ts';

const endpointsOf = (prefix: Prefix): Endpoint[] => developerEndpoints.filter((target) => target.scope === prefix);

/** A throw-away key with exactly these scopes, made once a run. */
export const keyWith = (session: Session, purpose: string, chosen: readonly Scope[]): Promise<OwnKey> =>
  session.once(`key ${purpose}`, () => makeKey(session, purpose, chosen));

/** Each endpoint of a module called with the key that holds the other five modules' scopes. */
const refusedCalls = (session: Session, prefix: Prefix): Promise<{ target: Endpoint; probe: Answer; twin: Answer }[]> =>
  session.once(`calls without ${prefix}`, async () => {
    const { key } = await keyWith(session, `without ${prefix}`, scopesWithout(prefix));
    await requireKnown(session, prefix, key);
    return Promise.all(
      endpointsOf(prefix).map(async (target) => {
        const { answer: twin } = await exemplar(session, target.id);
        return { target, twin, probe: await callAs(session, target, key, { mark: 'forbidden' }) };
      }),
    );
  });

/** A key that the deployment does not know says nothing about scopes: it is tried where no scope is needed. Throws Inconclusive. */
async function requireKnown(session: Session, prefix: Prefix, key: ApiKey): Promise<void> {
  const answer = await session.client.send(callOf(endpoint('GET /api/v1/developer/keys'), key));
  if (answer.status === 401) {
    throw new Inconclusive(
      findingOn(answer, {
        message: `Key without ${prefix} scopes is refused everywhere: ${cameOf(answer)}`,
        blames: 'developer.keys.create',
      }),
    );
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
    endpointsOf(prefix).map((target) =>
      partly(tally, async () => {
        const answer = await exemplarAs(session, target, key);
        tally.judge(answer.status === 403 ? expectAccepted(answer, `Key with both ${prefix} scopes is refused`) : null);
      }),
    ),
  );
}

/** The same key in the query lets nobody in either. What else the query mode does is the business of developer.auth.query. */
async function judgeInQuery(session: Session, prefix: Prefix, tally: Tally): Promise<void> {
  const [target] = endpointsOf(prefix) as [Endpoint];
  const { key } = await keyWith(session, `without ${prefix}`, scopesWithout(prefix));
  const probe = await callAs(session, target, key, { mode: 'query' });
  if (accepted(probe)) {
    tally.judge(expectStatus(probe, 403, `Key without ${prefix} scopes, sent in the query, is not refused with 403`));
  }
}

/** The exemplar's call, to the letter, with another key. */
async function exemplarAs(session: Session, target: Endpoint, key: ApiKey): Promise<Answer> {
  const { body } = await exemplar(session, target.id);
  return session.client.send(callOf(target, key, { body }));
}

const moduleCheck =
  (prefix: Prefix): Check =>
  async (session) => {
    const tally = createTally();
    await partly(tally, async () => {
      for (const { target, probe, twin } of await refusedCalls(session, prefix)) {
        judgeRefusal(tally, {
          probe,
          twin,
          endpoint: target,
          status: 403,
          what: `Key without ${prefix} scopes is not refused with 403`,
        });
      }
    });
    await partly(tally, () => judgeInQuery(session, prefix, tally));
    const refusals = tally.outcome();
    await partly(tally, () => judgeLetIn(session, prefix, tally));
    // Letting keys in shows nothing about refusing them: without one decided refusal the clause stays open.
    return refusals.compared === 0 ? { ...tally.outcome(), compared: 0 } : tally.outcome();
  };

/** Scope enforcement, module by module. */
export const scopes: Checks = {
  'developer.scopes.accepted': async (session) => {
    const tally = createTally();
    await partly(tally, () => judgeNames(session, tally));
    return tally.outcome();
  },
  ...Object.fromEntries(modules.map(({ prefix }) => [`developer.scopes.${prefix}`, moduleCheck(prefix)])),

  'developer.scopes.no-effect': async (session) => {
    const tally = createTally();
    await partly(tally, () =>
      judgeNoEffect(session, 'investor', 'POST /api/v1/investor/updates', 'GET /api/v1/investor/updates', tally),
    );
    await partly(tally, () =>
      judgeNoEffect(session, 'ads', 'POST /api/v1/ads/audits', 'GET /api/v1/ads/audits', tally),
    );
    await partly(tally, () =>
      judgeNoEffect(session, 'inbox', 'POST /api/v1/inbox/skills/learn', 'GET /api/v1/inbox/skills', tally),
    );
    await partly(tally, () =>
      judgeNoEffect(session, 'content', 'POST /api/v1/content/generate', 'GET /api/v1/content/posts', tally),
    );
    return tally.outcome();
  },

  'developer.scopes.read-write': async (session) => observed(await openedBy(session)),
};

/** Names are judged beside one another: where no key can be made at all, no name is to blame. */
async function judgeNames(session: Session, tally: Tally): Promise<void> {
  const { refused, atOnce } = await scopeNames(session);
  if (!accepted(atOnce) && (refused.size === 0 || refused.size === allScopes.length)) {
    throw new Inconclusive(
      findingOn(atOnce, {
        message: `Scope names cannot be judged: no key can be made at all: ${cameOf(atOnce)}`,
        blames: 'developer.keys.create',
      }),
    );
  }
  for (const scope of allScopes) {
    const answer = refused.get(scope);
    tally.judge(answer ? expectAccepted(answer, `Scope name ${scope} is not accepted at key creation`) : null);
  }
}

/** What a refused write would have left is looked for in the list in which the accepted one shows. */
async function judgeNoEffect(
  session: Session,
  prefix: Prefix,
  write: string,
  list: string,
  tally: Tally,
): Promise<void> {
  const calls = await refusedCalls(session, prefix);
  const { probe } = calls.find(({ target }) => target.id === write) as (typeof calls)[number];
  if (probe.status !== 403) {
    tally.leaveOpen({
      message: `${write} was not refused with 403, so it cannot be told what a refusal leaves behind`,
      blames: `developer.scopes.${prefix}`,
    });
    return;
  }
  const after = await session.client.send(callOf(endpoint(list), mainKey(session)));
  const shows = (text: string): boolean =>
    walk(after.json).some(({ value }) => typeof value === 'string' && value.includes(text));
  if (shows(marker(session, 'forbidden'))) {
    tally.judge(
      findingOn(after, {
        message: `Write that was refused with 403 took effect: ${write} shows in ${list}`,
        expected: `nothing of ${marker(session, 'forbidden')}`,
        actual: 'a record that carries it',
      }),
    );
  } else if (shows(marker(session, 'accepted'))) {
    tally.judge(null);
  } else {
    tally.leaveOpen(
      findingOn(after, {
        message: `${list} does not show what ${write} created, so it cannot show what a refused one left`,
      }),
    );
  }
}

/** For each endpoint of a module, whether the six read scopes or the six write scopes open it. */
async function openedBy(session: Session): Promise<Record<string, string>> {
  const [reader, writer] = await Promise.all(
    ['read', 'write'].map((access) =>
      keyWith(
        session,
        `all ${access}`,
        allScopes.filter((scope) => scope.endsWith(`:${access}`)),
      ),
    ),
  );
  const rows = await Promise.all(
    developerEndpoints
      .filter(({ scope }) => scope !== null)
      .map(async (target) => {
        const [byRead, byWrite] = await Promise.all(
          [reader, writer].map((own) => exemplarAs(session, target, (own as OwnKey).key)),
        );
        return [target.id, wordFor(byRead as Answer, byWrite as Answer)] as const;
      }),
  );
  return Object.fromEntries(rows);
}

function wordFor(byRead: Answer, byWrite: Answer): string {
  const [read, write] = [byRead, byWrite].map(({ status }) => status !== 403);
  if (read && write) {
    return accepted(byRead) ? 'either' : `either (${cameOf(byRead)})`;
  }
  return read ? 'read' : write ? 'write' : 'neither alone';
}
