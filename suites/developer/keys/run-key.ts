import { at, placeOfId, scalarText, walk } from '../../../common/json.ts';
import { isMasked } from '../../../common/redaction/key-like.ts';
import { type Environment, keyPrefix } from '../../../contract/scopes.ts';
import { Inconclusive } from '../../../results/outcome.ts';
import { describeAnswer, findingOn } from '../../engine/expect.ts';
import { adviceOnId } from '../../records/candidates.ts';
import type { Attempt, Created } from '../../records/own.ts';
import type { Answer, ApiKey, KeyCreation } from '../../session/call.ts';
import type { Session } from '../../session/session.ts';

/** The collection of keys. */
export const keysPath = '/api/v1/developer/keys';

/** A key that the run made. */
export interface RunKey {
  readonly id: string;
  readonly key: ApiKey;
  readonly record: Created;
  /** JSON pointers in the answer that shows it: observed, since the document does not show the key record. */
  readonly places: Readonly<Record<'id' | 'secret', string>>;
}

// --- Secrets

/** A secret that an answer shows. */
interface FoundSecret {
  /** The JSON pointer of the text that is or contains it. */
  readonly pointer: string;
  readonly secret: string;
}

const secretName = /^(key|value)$|secret|api_?key|token|plain|credential|password/i;
const isId = /(^|_)(id|uid|uuid)$|[a-z](Id|Uuid)$/;

/** The documented prefix of a key; empty: it has none. */
const documentedPrefix = (text: string): string =>
  Object.values(keyPrefix).find((prefix) => text.startsWith(prefix)) ?? '';

/** A key in a longer text, such as the command or the URL of an example. */
const keyWithin = new RegExp(`(?<![\\w-])(?:${Object.values(keyPrefix).join('|')})[\\w~-]+`, 'g');

/**
 * The texts that may be the secret in an answer that shows a new key, longest first: those that begin with a documented
 * prefix, in any field or within a longer text. A text with which another one begins is left out, since it is a shown
 * prefix. If no text has a documented prefix: those in fields named like a secret. Masked texts and texts that were
 * `sent` do not count.
 */
export function findSecrets(json: unknown, sent = ''): FoundSecret[] {
  const isSecretLike = (text: string): boolean =>
    text.length >= 12 && !isMasked(text) && !/\s/.test(text) && !sent.includes(text);
  const textsIn = (value: unknown): string[] =>
    typeof value === 'string' ? [...new Set([value, ...(isMasked(value) ? [] : (value.match(keyWithin) ?? []))])] : [];
  const shown = walk(json)
    .flatMap(({ pointer, name, value }) => textsIn(value).map((secret) => ({ pointer, name, secret })))
    .filter(({ pointer, secret }) => isSecretLike(secret) && !pointer.startsWith('/meta/'))
    .sort((one, other) => other.secret.length - one.secret.length);
  const isBeginning = (text: string): boolean => shown.some(({ secret }) => secret !== text && secret.startsWith(text));
  const prefixed = shown.filter(({ secret }) => documentedPrefix(secret) !== '' && !isBeginning(secret));
  const best = prefixed.length > 0 ? prefixed : shown.filter(({ name }) => secretName.test(name) && !isId.test(name));
  return best.map(({ pointer, secret }) => ({ pointer, secret }));
}

/** Whether an answer gives a whole secret away, with or without its prefix, which everybody knows. */
export function exposes(answer: Answer, secret: string): boolean {
  const random = secret.slice(documentedPrefix(secret).length);
  // A shorter text may occur in any other by chance.
  return answer.unredacted(({ holds }) => holds(random.length < 12 ? secret : random));
}

/** The likeliest secret in an answer that shows a new one; `former`: the one before, which it may show, too. */
export const secretIn = (answer: Answer, former?: string): FoundSecret | undefined => {
  const found = answer.unredacted(({ json }) => findSecrets(json, answer.exchange.request.body ?? ''));
  if (former === undefined) {
    return found[0];
  }
  // The answer may also show how a secret begins.
  return found.find(({ secret }) => !former.startsWith(secret)) ?? found[0];
};

/**
 * The key that an answer shows: the one to its creation or, given as `answer` with the key as it was before, the one to
 * its rotation. `purpose` is in its label, which no other key has. Throws Inconclusive where the answer does not show a
 * key.
 */
export function runKeyOf(
  session: Session,
  attempt: Attempt,
  { purpose, environment }: { readonly purpose: string; readonly environment: Environment },
  answer = attempt.answer,
  former?: ApiKey,
): RunKey {
  const { secret, id } = shownKey(attempt, purpose, answer, former);
  const idAt = answer.unredacted(({ json }) => placeOfId(json, id)) ?? 'not shown';
  const creation =
    former === undefined
      ? madeBy(attempt, secret.pointer)
      : former.creation && { ...former.creation, rotatedAt: secret.pointer };
  const shownEnvironment = (['live', 'sandbox'] as const).find((one) => secret.secret.startsWith(keyPrefix[one]));
  const key: ApiKey = {
    id,
    secret: secret.secret,
    label: `key "${purpose}" of this run`,
    // A key with the prefix of a live key is treated as one, whatever was asked for.
    environment: shownEnvironment === 'live' ? 'live' : environment,
    ...(shownEnvironment === undefined || shownEnvironment === environment ? {} : { madeFor: environment }),
    origin: 'own',
    changedAt: session.clock.now(),
    ...(creation === undefined ? {} : { creation }),
  };
  // Where its maker does not see it, only it can delete itself.
  session.client.noteKey(key);
  return { id, record: { ...attempt, id }, places: { id: idAt, secret: secret.pointer }, key };
}

/**
 * The secret and the id of the key that an answer shows. Throws Inconclusive where it shows none: nor can such a key be
 * deleted.
 */
export function shownKey(
  attempt: Attempt,
  purpose: string,
  answer = attempt.answer,
  former?: ApiKey,
): { readonly secret: FoundSecret; readonly id: string } {
  const blames = former === undefined ? 'developer.keys.create' : 'developer.keys.rotate';
  const noKey = (why: string): Inconclusive =>
    new Inconclusive(findingOn(answer, { message: `Key "${purpose}" cannot be ${why}`, blames }));
  if (!answer.accepted) {
    throw noKey(`created: ${describeAnswer(answer)}`);
  }
  const secret = secretIn(answer, former?.secret);
  if (secret === undefined) {
    throw noKey('used: the answer shows no secret');
  }
  const { id } = attempt;
  if (id === undefined) {
    throw noKey(`used: nothing shows its id. ${adviceOnId(keysPath, answer)}`);
  }
  return { secret, id };
}

function madeBy({ collection, body }: Attempt, secretAt: string): KeyCreation | undefined {
  // Read in the body that was sent: redaction may have left the recorded one no JSON.
  const scopes = at(body, '/scopes');
  return Array.isArray(scopes)
    ? { collection, scopes: scopes.map((scope) => scalarText(scope) ?? ''), secretAt }
    : undefined;
}
