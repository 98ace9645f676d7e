import { developerEndpoints } from '../../contract/developer-endpoints.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { createDeveloperBodies } from '../../fixtures/developer-bodies.ts';
import { Skipped } from '../../results/stop.ts';
import { settled } from '../engine/partly.ts';
import { type Answer, type Call, callOf } from '../session/call.ts';
import type { ApiKey } from '../session/key.ts';
import type { Session } from '../session/session.ts';

const byId = new Map(developerEndpoints.map((endpoint) => [endpoint.id, endpoint]));

/** The documented endpoint of that id. Throws where there is none: a defect of ours. */
export function endpoint(id: string): Endpoint {
  const found = byId.get(id);
  if (!found) {
    throw new Error(`Cannot find an endpoint: ${id} is not in the contract`);
  }
  return found;
}

/** A key given in the settings, as calls send it; undefined where the setting is not set. */
export function givenKey(
  session: Session,
  setting: 'SANDBOX_API_KEY' | 'LIVE_API_KEY' | 'ENTERPRISE_API_KEY',
): ApiKey | undefined {
  const environments = { SANDBOX_API_KEY: 'sandbox', LIVE_API_KEY: 'live', ENTERPRISE_API_KEY: 'enterprise' } as const;
  const secret = session.settings[setting];
  return secret === undefined
    ? undefined
    : { secret, label: setting, environment: environments[setting], origin: 'given' };
}

/** The key that the run is made with: the sandbox key, else the live one. */
export const mainKey = (session: Session): ApiKey =>
  givenKey(session, 'SANDBOX_API_KEY') ?? requireKey(session, 'LIVE_API_KEY');

/** The key of that setting. Throws Skipped, which names the setting, where it is not set. */
export function requireKey(
  session: Session,
  setting: 'SANDBOX_API_KEY' | 'LIVE_API_KEY' | 'ENTERPRISE_API_KEY',
): ApiKey {
  const key = givenKey(session, setting);
  if (!key) {
    throw new Skipped(`${setting} is not set: set it to judge this clause`, { setting });
  }
  return key;
}

/** Seeds the sandbox, once a run (Sandbox, rule 2). Throws Skipped where WRITES or a missing key forbids it. */
export const seed = (session: Session): Promise<Answer> =>
  session.once('POST /api/v1/developer/sandbox/seed', async () =>
    session.client.send(
      callOf(endpoint('POST /api/v1/developer/sandbox/seed'), requireKey(session, 'SANDBOX_API_KEY')),
    ),
  );

/** Seeded, or as good as it gets: reading goes on where seeding is forbidden or fails, which is a clause of its own. */
const prepared = (session: Session): Promise<void> => session.once('prepare', () => settled(seed(session)));

/** A documented GET with a given key (the main one, if none is named), made once a run; the sandbox is seeded first. */
export const read = (
  session: Session,
  id: string,
  query: NonNullable<Call['query']> = {},
  key = mainKey(session),
): Promise<Answer> =>
  session.once(`${id} ${JSON.stringify(query)} as ${key.label}`, async () => {
    await prepared(session);
    return session.client.send(callOf(endpoint(id), key, { query }));
  });

/** What marks bodies of calls that are to be accepted, refused, and refused for want of a scope: told apart where they show. */
export const marks = { accepted: 'ok', refused: 'no', forbidden: 'bar' } as const;

/** The marker that stands in bodies of one kind: found again in lists that show what was created. */
export const marker = (session: Session, mark: keyof typeof marks): string => `${session.tag}-${marks[mark]}`;

/** The body for a documented POST: the user's own where BODIES has one, `{{run}}` replaced; otherwise a generated one. */
export function bodyFor(session: Session, id: string, mark: keyof typeof marks): unknown {
  const tag = marker(session, mark);
  const own = session.userBodies[id];
  if (own !== undefined) {
    return JSON.parse(JSON.stringify(own).replaceAll('{{run}}', tag)) as unknown;
  }
  return createDeveloperBodies(session.seed)[id]?.(tag);
}

/** Further fields that a deployment was found to want for a call, learnt by the chapter that judges the call. */
export type Body = Record<string, unknown>;

/** One body or more. */
export type Bodies<B = unknown> = readonly [B, ...B[]];

/** Tries bodies in turn until one is accepted or refused with anything but 400; gives the last answer and its body. */
export async function firstAccepted(
  session: Session,
  id: string,
  [body, ...others]: Bodies,
): Promise<{ answer: Answer; body: unknown }> {
  const tried = async (one: unknown): Promise<{ answer: Answer; body: unknown }> => ({
    answer: await session.client.send(callOf(endpoint(id), mainKey(session), { body: one })),
    body: one,
  });
  let last = await tried(body);
  for (const other of others) {
    if (last.answer.status === 400) {
      last = await tried(other);
    }
  }
  return last;
}
