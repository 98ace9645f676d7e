import { at, findId, hasValue } from '../../common/json.ts';
import { scopes } from '../../contract/scopes.ts';
import { Inconclusive } from '../../results/stop.ts';
import { accepted } from '../engine/expect.ts';
import { type Answer, callOf } from '../session/call.ts';
import { pagesOf } from '../session/pages.ts';
import type { Session } from '../session/session.ts';
import { endpoint, mainKey, read } from './calls.ts';
import { createdKey, makeKey, ownEnvironment } from './make-key.ts';
import { deleteOwn, type OwnKey, ownKeyOf, secretsIn } from './own-keys.ts';

/** The key list at one moment: its first page, and whether any page shows the key; `unknown`: not all could be read. */
export interface Listing {
  readonly answer: Answer;
  readonly shows: boolean | 'unknown';
}

/** The life of one throw-away key with all twelve scopes, from creation to after its death. */
export interface Life {
  readonly own: OwnKey;
  /** A documented read with the key, while it lived. */
  readonly used: Answer;
  readonly listed: Listing;
  /** By the `days` that was asked for; `none` for a call without. */
  readonly usage: Readonly<Record<string, Answer>>;
  readonly deleted: Answer;
  readonly listedAfter: Listing;
  /** The same read as `used`, after the deletion. */
  readonly usedAfter: Answer;
}

/** A read that works with the main key: where a new key is tried. Throws Inconclusive where none does. */
export const workingRead = (session: Session): Promise<string> =>
  session.once('a working read', async () => {
    for (const id of [
      'GET /api/v1/ads/health-score',
      'GET /api/v1/investor/pipeline',
      'GET /api/v1/inbox/skills',
      'GET /api/v1/platform/me',
    ]) {
      if (accepted(await read(session, id))) {
        return id;
      }
    }
    throw new Inconclusive({
      message: 'No documented read works with the given key, so nothing shows whether another key works',
      blames: 'developer.auth.header',
    });
  });

/** Whether a deletion succeeded: what a 204 lacks is the envelope's business. */
export const removed = (answer: Answer): boolean => accepted(answer) || answer.status === 204;

/** A documented read with any key, sent now. */
export async function tryKey(
  session: Session,
  key: OwnKey['key'],
  rest: Parameters<typeof callOf>[2] = {},
): Promise<Answer> {
  return session.client.send(callOf(endpoint(await workingRead(session)), key, rest));
}

/** Values of `days` for the usage call: documented ones, and two that the document leaves open. */
export const usageDays = { documented: ['none', '1', '7', '90'], open: ['91', '1.5', 'soon'] } as const;

/** Lives the life of the key, once a run. Throws Inconclusive where creation yields no key. */
export const keyLife = (session: Session): Promise<Life> =>
  session.once('lifecycle key', async () => {
    const { answer, entry } = await createdKey(session);
    const own = ownKeyOf(session, {
      answer,
      entry,
      purpose: 'lifecycle',
      environment: ownEnvironment(session),
      pointer: '/data',
    });
    const main = mainKey(session);
    const list = (): Promise<Listing> => listing(session, own.id);
    const used = await tryKey(session, own.key);
    const [listed, usage] = await Promise.all([list(), usageOf(session, own.id)]);
    const deleted = await deleteOwn(session, entry, own.id, main);
    const dead = { ...own.key, origin: 'unknown' as const, since: session.clock.now() };
    const [listedAfter, usedAfter] = await Promise.all([
      list(),
      tryKey(session, dead, { purpose: 'refusal', unsettled: (status) => status !== 401 }),
    ]);
    return { own, used, listed, usage, deleted, listedAfter, usedAfter };
  });

/** Reads the key list now, on to further pages until one shows the id. */
async function listing(session: Session, id: string): Promise<Listing> {
  const call = callOf(endpoint('GET /api/v1/developer/keys'), mainKey(session));
  const answer = await session.client.send(call);
  let complete: boolean | undefined;
  for await (const page of pagesOf(session, call, answer)) {
    if (hasValue(at(page.answer.json, '/data'), id)) {
      return { answer, shows: true };
    }
    complete = page.complete;
  }
  return { answer, shows: complete ? false : 'unknown' };
}

async function usageOf(session: Session, id: string): Promise<Record<string, Answer>> {
  const call = async (days: string): Promise<[string, Answer]> => {
    const open = (usageDays.open as readonly string[]).includes(days);
    return [
      days,
      await session.client.send(
        callOf(endpoint('GET /api/v1/developer/keys/:id/usage'), mainKey(session), {
          id,
          ...(days === 'none' ? {} : { query: { days } }),
          ...(open ? { purpose: 'off-document' as const } : {}),
        }),
      ),
    ];
  };
  return Object.fromEntries(await Promise.all([...usageDays.documented, ...usageDays.open].map(call)));
}

/** A key that was rotated: its record before, and what rotation answered. */
export interface Rotated {
  readonly before: OwnKey;
  readonly answer: Answer;
  /** The key with its new secret. Throws Inconclusive where the answer shows none. */
  after(): OwnKey;
}

/** The key whose rotation is judged: made, used, rotated. */
export const rotatedKey = (session: Session): Promise<Rotated> =>
  session.once('rotated key', async () => {
    const before = await makeKey(session, 'to be rotated', scopes);
    const answer = await session.client.send(
      callOf(endpoint('POST /api/v1/developer/keys/:id/rotate'), mainKey(session), { id: before.id, secretsIn }),
    );
    noteNewId(session, before, answer);
    return {
      before,
      answer,
      after: () =>
        ownKeyOf(session, {
          answer,
          entry: before.entry,
          purpose: 'rotated',
          environment: ownEnvironment(session),
          pointer: '/data',
          knownId: before.id,
        }),
    };
  });

/** Rotation may replace the record by one with another id: then that one is the run's to delete as well. */
function noteNewId(session: Session, before: OwnKey, answer: Answer): void {
  const id = accepted(answer) ? findId(at(answer.json, '/data'), 'key')?.id : undefined;
  if (id === undefined || id === before.id) {
    return;
  }
  const { api, origin, collection, keySetting, tag } = before.entry;
  session.ledger.made(session.ledger.intend({ api, origin, collection, keySetting, tag }), id);
}
