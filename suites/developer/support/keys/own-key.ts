import { at, isScalar, parentOf, placeOfId } from '../../../../common/json.ts';
import { type Environment, keyPrefix } from '../../../../contract/scopes.ts';
import { Inconclusive } from '../../../../results/stop.ts';
import { describeAnswer, findingOn } from '../../../engine/expect.ts';
import { resultOrNull } from '../../../engine/parts.ts';
import type { Answer } from '../../../session/answer.ts';
import type { Call } from '../../../session/call.ts';
import type { ApiKey, Made, Places } from '../../../session/key.ts';
import { givenKey } from '../../../session/keys.ts';
import { hasRoom } from '../../../session/pace/limited.ts';
import { namedIdIn } from '../../../session/reading/shown-ids.ts';
import type { Session } from '../../../session/session.ts';
import { step } from '../../../session/step.ts';
import { type Attempt, type Created, type Creation, createRecord } from '../../../shared/records.ts';
import { type FoundSecret, findSecrets, isOfService } from './find-secret.ts';

/** The collection of keys. */
export const keysPath = '/api/v1/developer/keys';

/** A key that the run made, and how. */
export interface OwnKey {
  readonly id: string;
  readonly key: ApiKey;
  readonly record: Created;
  /** JSON pointers in the answer: recorded, since the document does not show the key record. */
  readonly places: Places;
}

/** The secret that an answer shows, and where. `former`: one that it may show besides, of before a rotation. */
export const secretIn = (answer: Answer, former?: string): FoundSecret | undefined => {
  const found = answer.unredacted(({ json }) => findSecrets(json, answer.exchange.request.body ?? ''));
  if (former === undefined) {
    return found[0];
  }
  // An answer that shows both records may show how a secret begins: the new one is likely as long as the former.
  const isOff = ({ secret }: FoundSecret): number => Math.abs(secret.length - former.length);
  const others = found.filter(({ secret }) => !former.startsWith(secret));
  return others.toSorted((one, other) => isOff(one) - isOff(other))[0] ?? found[0];
};

/** The longest name of a key: what a name may be is not shown. */
const longestName = 24;

/** What stands between the words of keys' names: where the first key is refused, nothing does. */
export const nameRule = step(async () => ({ separator: '-' }));

/** A name that no other key has: short, of small letters, digits and, where they are taken, hyphens. */
export async function keyName(session: Session, purpose: string): Promise<string> {
  const { separator } = await nameRule(session);
  return `${session.nextRecord().tag}-${purpose.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`
    .slice(0, longestName)
    .replace(/-+$/, '')
    .replaceAll('-', separator);
}

/** Sends a key creation; whatever it makes stands in the ledger. Throws Skipped where a live key may not be made. */
export const createKey = (session: Session, creation: Creation): Promise<Attempt> =>
  createRecord(session, keysPath, {
    ...creation,
    makesLive: asksForLive(creation.body),
    via: (call) => sendOrFull(session, call),
    ownPlaces: (json) => newSecretsIn(session, json).map(({ pointer }) => pointer),
  });

/** A 429 that leaves calls of the minute, or that no waiting ends, may be for want of room: others wait for the minute. */
async function sendOrFull(session: Session, call: Call): Promise<Answer> {
  if ((call.purpose ?? 'documented') !== 'documented') {
    return session.client.send(call);
  }
  const answer = await session.client.send({ ...call, takes429: true });
  const mayBeFull =
    call.key !== null &&
    hasRoom(answer, session.api.perMinute(call.key, session.settings)) &&
    !isSmoothed(session, call.key);
  return answer.status !== 429 || mayBeFull ? answer : ((await resultOrNull(session.client.send(call))) ?? answer);
}

/** Whether calls of several other kinds were refused with 429 too, since a limiter spaces them. */
function isSmoothed({ evidence }: Session, { label }: ApiKey): boolean {
  const refused = evidence.exchanges.filter(({ keyLabel, response }) => keyLabel === label && response?.status === 429);
  return new Set(refused.map(({ endpoint }) => endpoint)).size > 2;
}

/** A secret of this service that no given key has stands in no record but the new one. */
function newSecretsIn(session: Session, json: unknown): readonly FoundSecret[] {
  const given = session.api.keys.map(({ setting }) => givenKey(session, setting)?.secret);
  return findSecrets(json).filter(({ secret }) => isOfService(secret) && !given.includes(secret));
}

/** Whether a key request, well-formed or not, may make a live key. */
const asksForLive = (body: unknown): boolean =>
  /"environment":\s*"\W*(live|prod)/i.test(typeof body === 'string' ? body : JSON.stringify(body ?? null));

/** What a key is made for, and where. */
interface Role {
  readonly purpose: string;
  readonly environment: Environment;
}

/** The key out of the answer to its creation, or to another call that shows it. Throws Inconclusive where it shows none. */
export function ownKeyOf(
  session: Session,
  attempt: Attempt,
  { purpose, environment }: Role,
  answer = attempt.answer,
  former?: ApiKey,
): OwnKey {
  if (!answer.accepted) {
    throw noKey(answer, `Key "${purpose}" cannot be created: ${describeAnswer(answer)}`);
  }
  const secret = secretIn(answer, former?.secret);
  if (secret === undefined) {
    throw noKey(answer, `Key "${purpose}" cannot be used: the answer shows no secret`);
  }
  const isCreation = answer === attempt.answer;
  const id = attempt.id ?? keyIdIn(session, answer, secret.pointer);
  if (id === undefined) {
    throw noKey(answer, `Key "${purpose}" cannot be used: nothing shows its id`);
  }
  const places = { id: answer.unredacted(({ json }) => placeOfId(json, id)), secret: secret.pointer };
  const made = isCreation ? madeBy(attempt, places) : rotated(former, places);
  const looks = (['live', 'sandbox'] as const).find((one) => secret.secret.startsWith(keyPrefix[one])) ?? environment;
  return {
    id,
    record: { ...attempt, id },
    places,
    key: {
      id,
      secret: secret.secret,
      label: `key "${purpose}" of this run`,
      // A key that looks live is handled like one, whatever was asked for.
      environment: looks === 'live' ? 'live' : environment,
      ...(looks === environment ? {} : { madeFor: environment }),
      origin: 'own',
      since: session.clock.now(),
      ...(made === undefined ? {} : { made }),
    },
  };
}

function madeBy({ body, entry, answer }: Attempt, places: Places): Made | undefined {
  const { request } = answer.exchange;
  // As it was sent: of what is recorded, redaction may have left no JSON.
  const scopes = at(body, '/scopes');
  return Array.isArray(scopes)
    ? {
        request: { url: request.url, body: request.body ?? '' },
        maker: entry.keySetting,
        scopes: scopes.map(String),
        places,
      }
    : undefined;
}

/** How the key came to be whose secret a rotation shows. */
const rotated = (former: ApiKey | undefined, places: Places): Made | undefined =>
  former?.made && { ...former.made, rotated: places };

/**
 * The id of the key whose secret stands at the pointer: where it stood beside the secret in the answer to the creation (`like`), or
 * else that of the innermost object around it which has one, since an answer may show several keys, and what they refer to.
 */
export const keyIdIn = (session: Session, answer: Answer, pointer: string, like?: Places): string | undefined =>
  answer.unredacted(({ json }) => {
    const placed = like?.id === undefined ? undefined : at(json, placeBeside(pointer, like.id, like.secret));
    if (isScalar(placed)) {
      return String(placed);
    }
    for (let place = parentOf(pointer); place.startsWith(session.api.payload); place = parentOf(place)) {
      const id = namedIdIn(at(json, place), 'key');
      if (id !== undefined) {
        return id;
      }
    }
    return undefined;
  });

/** The place that is to a secret as the place of an id was to another secret. */
function placeBeside(pointer: string, id: string, secret: string): string {
  const [names, others] = [id.split('/'), secret.split('/')];
  const shared = names.findIndex((name, index) => name !== others[index]);
  return [...pointer.split('/').slice(0, shared - others.length), ...names.slice(shared)].join('/');
}

/** A key is shown by its creation or its rotation. */
function noKey(answer: Answer, message: string): Inconclusive {
  const isRotation = answer.exchange.endpoint?.endsWith('/rotate') === true;
  return new Inconclusive(
    findingOn(answer, { message, blames: isRotation ? 'developer.keys.rotate' : 'developer.keys.create' }),
  );
}
