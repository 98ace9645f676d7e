import { at, findId, walk } from '../../common/json.ts';
import { type Environment, keyPrefix } from '../../contract/scopes.ts';
import { Inconclusive } from '../../results/stop.ts';
import { accepted, cameOf, findingOn } from '../engine/expect.ts';
import { type Answer, type Call, callOf } from '../session/call.ts';
import type { ApiKey } from '../session/key.ts';
import type { Entry } from '../session/ledger.ts';
import type { Session } from '../session/session.ts';
import { endpoint } from './calls.ts';

/** A key that the run made, and how. */
export interface OwnKey {
  readonly id: string;
  readonly key: ApiKey;
  readonly answer: Answer;
  readonly entry: Entry;
  /** JSON pointers in the answer: recorded, since the document does not show the key record. */
  readonly places: { readonly id: string; readonly secret: string };
}

const secretName = /^(key|value)$|secret|api_?key|token|plain/i;
const masked = /[*…•]|\.\.\./;

/** The secret of a new key, under whatever name: what looks like a key of this service first, then what is named like one. */
export function findSecret(json: unknown): { pointer: string; secret: string } | undefined {
  const strings = walk(json)
    .filter((found) => !found.pointer.startsWith('/meta/'))
    .filter(
      (found): found is typeof found & { value: string } =>
        typeof found.value === 'string' &&
        found.value.length >= 12 &&
        !masked.test(found.value) &&
        !/\s/.test(found.value),
    );
  const looks = ({ value }: { value: string }): boolean =>
    Object.values(keyPrefix).some((prefix) => value.startsWith(prefix));
  const longest = (list: typeof strings): (typeof strings)[number] | undefined =>
    list.sort((a, b) => b.value.length - a.value.length)[0];
  const best =
    longest(strings.filter(looks)) ??
    longest(strings.filter(({ name }) => secretName.test(name) && !/id$/i.test(name)));
  return best && { pointer: best.pointer, secret: best.value };
}

/** Whatever in an answer could be a secret: learnt before the exchange is recorded. */
export const secretsIn = (json: unknown): string[] =>
  [findSecret(json)?.secret].filter((secret) => secret !== undefined);

/** Sends a key creation; whatever it makes stands in the ledger. `body` need not be well-formed: a broken deployment may take it. */
export async function createKey(
  session: Session,
  body: unknown,
  maker: ApiKey,
  rest: Partial<Call> = {},
): Promise<{ answer: Answer; entry: Entry }> {
  const entry = session.ledger.intend({
    api: 'developer',
    origin: session.origin,
    collection: '/api/v1/developer/keys',
    keySetting: maker.label,
    tag: String(at(body, '/name') ?? session.tag),
  });
  const answer = await sendOrForget(session, entry, () =>
    session.client.send(
      callOf(endpoint('POST /api/v1/developer/keys'), maker, {
        body,
        secretsIn,
        creates: true,
        ...rest,
      }),
    ),
  );
  const id = findId(at(answer.json, '/data'), 'key')?.id;
  // A server that broke may have made the key before it did.
  if (answer.status >= 400 && answer.status < 500) {
    session.ledger.gone(entry);
  } else if (id !== undefined) {
    session.ledger.made(entry, id);
  }
  return { answer, entry };
}

/** What was never sent made nothing. */
async function sendOrForget<T>(session: Session, entry: Entry, send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    session.ledger.gone(entry);
    throw error;
  }
}

/** A name that tells the run's keys from all others, and from each other. */
export const keyName = (session: Session, purpose: string): string => `${session.tag} ${purpose}`;

/** Reads the key out of the answer to a creation or rotation. Throws Inconclusive where it shows none. */
export function ownKeyOf(
  session: Session,
  from: { answer: Answer; entry: Entry; purpose: string; environment: Environment; pointer: string; knownId?: string },
): OwnKey {
  const { answer, entry, purpose, environment } = from;
  if (!accepted(answer)) {
    throw noKey(answer, `Key "${purpose}" cannot be made: ${cameOf(answer)}`);
  }
  const secret = findSecret(answer.json);
  const id = findId(at(answer.json, from.pointer), 'key');
  if (!secret) {
    throw noKey(answer, `Key "${purpose}" cannot be used: the answer shows no secret`);
  }
  if (!id && from.knownId === undefined) {
    throw noKey(answer, `Key "${purpose}" cannot be used: the answer shows no id`);
  }
  return {
    id: id?.id ?? from.knownId ?? '',
    answer,
    entry,
    places: { id: id ? `${from.pointer}${id.pointer}` : 'not shown', secret: secret.pointer },
    key: {
      secret: secret.secret,
      label: `key "${purpose}" of this run`,
      environment,
      origin: 'own',
      since: session.clock.now(),
    },
  };
}

const noKey = (answer: Answer, message: string): Inconclusive =>
  new Inconclusive(findingOn(answer, { message, blames: 'developer.keys.create' }));

/** Deletes a thing of the ledger; gone is what the deployment deleted, or does not know. */
export async function deleteOwn(session: Session, entry: Entry, id: string, key: ApiKey): Promise<Answer> {
  const answer = await session.client.send(
    callOf(endpoint('DELETE /api/v1/developer/keys/:id'), key, { id, deletes: true }),
  );
  if (accepted(answer) || answer.status === 404 || answer.status === 204) {
    session.ledger.gone(entry);
  }
  return answer;
}
