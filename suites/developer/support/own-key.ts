import { at, walk } from '../../../common/json.ts';
import { type Environment, keyPrefix } from '../../../contract/scopes.ts';
import { Inconclusive } from '../../../results/stop.ts';
import { describeAnswer, findingOn } from '../../engine/expect.ts';
import type { Answer } from '../../session/answer.ts';
import type { ApiKey, Made } from '../../session/key.ts';
import { idIn } from '../../session/record.ts';
import type { Session } from '../../session/session.ts';
import { type Attempt, type Created, type Creation, createRecord } from '../../shared/records.ts';

/** The collection of keys. */
export const keysPath = '/api/v1/developer/keys';

/** A key that the run made, and how. */
export interface OwnKey {
  readonly id: string;
  readonly key: ApiKey;
  readonly record: Created;
  /** JSON pointers in the answer: recorded, since the document does not show the key record. */
  readonly places: { readonly id: string; readonly secret: string };
}

const secretName = /^(key|value)$|secret|api_?key|token|plain/i;
const masked = /[*…•]|\.\.\./;

/** The secret of a new key, under whatever name: what looks like a key of this service first, then what is named like one. */
export function findSecret(json: unknown): { pointer: string; secret: string } | undefined {
  const strings = walk(json)
    .filter(({ pointer }) => !pointer.startsWith('/meta/'))
    .flatMap(({ pointer, name, value }) => (isSecretLike(value) ? [{ pointer, name, secret: value }] : []))
    .sort((a, b) => b.secret.length - a.secret.length);
  const looks = strings.find(({ secret }) => Object.values(keyPrefix).some((prefix) => secret.startsWith(prefix)));
  const best = looks ?? strings.find(({ name }) => secretName.test(name) && !/id$/i.test(name));
  return best && { pointer: best.pointer, secret: best.secret };
}

const isSecretLike = (value: unknown): value is string =>
  typeof value === 'string' && value.length >= 12 && !masked.test(value) && !/\s/.test(value);

/** The secret that an answer shows, and where. */
export const secretIn = (answer: Answer): ReturnType<typeof findSecret> =>
  answer.unredacted(({ json }) => findSecret(json));

/** A name that no other key has. */
export const keyName = (session: Session, purpose: string): string => `${session.nextRecord().tag} ${purpose}`;

/** Sends a key creation; whatever it makes stands in the ledger. */
export const createKey = (session: Session, creation: Creation): Promise<Attempt> =>
  createRecord(session, keysPath, creation);

/** What a key is made for, and where. */
export interface Role {
  readonly purpose: string;
  readonly environment: Environment;
}

/** The key out of the answer to its creation, or to another call that shows it. Throws Inconclusive where it shows none. */
export function ownKeyOf(
  session: Session,
  attempt: Attempt,
  { purpose, environment }: Role,
  answer = attempt.answer,
): OwnKey {
  if (!answer.accepted) {
    throw noKey(answer, `Key "${purpose}" cannot be made: ${describeAnswer(answer)}`);
  }
  const secret = secretIn(answer);
  if (secret === undefined) {
    throw noKey(answer, `Key "${purpose}" cannot be used: the answer shows no secret`);
  }
  const id = keyIdIn(session, answer) ?? attempt.id;
  if (id === undefined) {
    throw noKey(answer, `Key "${purpose}" cannot be used: nothing shows its id`);
  }
  const places = { id: placeOf(answer, id), secret: secret.pointer };
  const made = madeBy(answer, attempt.entry.keySetting, places);
  return {
    id,
    record: { ...attempt, id },
    places,
    key: {
      id,
      secret: secret.secret,
      label: `key "${purpose}" of this run`,
      environment,
      origin: 'own',
      since: session.clock.now(),
      ...(made === undefined ? {} : { made }),
    },
  };
}

/** The creation that an answer is of; undefined for a rotation. */
function madeBy({ exchange }: Answer, maker: string, places: Made['places']): Made | undefined {
  const { request } = exchange;
  const body: unknown = exchange.endpoint === `POST ${keysPath}` ? JSON.parse(request.body ?? 'null') : null;
  const scopes = at(body, '/scopes');
  return !Array.isArray(scopes)
    ? undefined
    : { request: { url: request.url, body: request.body ?? '' }, maker, scopes: scopes.map(String), places };
}

/** The id of the key that an answer shows. */
export const keyIdIn = (session: Session, answer: Answer): string | undefined =>
  answer.unredacted(({ json }) => idIn(at(json, session.api.payload), 'key'));

const placeOf = (answer: Answer, id: string): string =>
  answer.unredacted(({ json }) => walk(json).find(({ value }) => String(value) === id)?.pointer ?? 'not shown');

const noKey = (answer: Answer, message: string): Inconclusive =>
  new Inconclusive(findingOn(answer, { message, blames: 'developer.keys.create' }));
