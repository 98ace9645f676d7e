import { at, parseJson, scalarText } from '../../../common/json.ts';
import { type Environment, keyPrefix } from '../../../contract/scopes.ts';
import { Inconclusive } from '../../../results/outcome.ts';
import { type SecretCandidate, secretCandidates } from '../../../webhooks/signature/secret-candidates.ts';
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
}

// --- Secrets

/** The documented prefix of a key; empty: it has none. */
const documentedPrefix = (text: string): string =>
  Object.values(keyPrefix).find((prefix) => text.startsWith(prefix)) ?? '';

/**
 * The texts that may be the secret in an answer that shows a new key, likeliest first: those that begin with a
 * documented prefix, in any field, but for one with which another begins, since it is a shown prefix. If no text does:
 * those in fields that are named like a secret. What was `sent` is none.
 */
export function findSecrets(json: unknown, sent?: unknown): readonly SecretCandidate[] {
  const shown = secretCandidates(json, [], sent).filter(({ place }) => !place.startsWith('/meta/'));
  const isBeginning = (text: string): boolean => shown.some(({ value }) => value !== text && value.startsWith(text));
  const prefixed = shown.filter(({ value }) => documentedPrefix(value) !== '' && !isBeginning(value));
  return prefixed.length > 0 ? prefixed : shown.filter(({ named }) => named);
}

/** Whether an answer gives a whole secret away, with or without its prefix, which everybody knows. */
export function exposes(answer: Answer, secret: string): boolean {
  const random = secret.slice(documentedPrefix(secret).length);
  // A shorter text may occur in any other by chance.
  return answer.unredacted(({ holds }) => holds(random.length < 12 ? secret : random));
}

/** The likeliest secret in an answer that shows a new one; `former`: the one before, which it may show, too. */
export const secretIn = (answer: Answer, former?: string): SecretCandidate | undefined => {
  const found = answer.unredacted(({ json }) => findSecrets(json, parseJson(answer.exchange.request.body ?? '')));
  // The answer may also show how a secret begins.
  return found.find(({ value }) => !former?.startsWith(value)) ?? found[0];
};

/** A rotation of a key: its answer, and the key as it was before. */
interface Rotation {
  readonly answer: Answer;
  readonly former: ApiKey;
}

/**
 * The key that the answer to its creation shows or, where it was rotated since, that to its rotation. `purpose` is in
 * its label, which no other key has. Throws Inconclusive where the answer shows no key: nor can such a key be deleted.
 */
export function runKeyOf(
  session: Session,
  attempt: Attempt,
  { purpose, environment }: { readonly purpose: string; readonly environment: Environment },
  rotation?: Rotation,
): RunKey {
  const { answer, former } = rotation ?? { answer: attempt.answer, former: undefined };
  const blames = former === undefined ? 'developer.keys.create' : 'developer.keys.rotate';
  const noKey = (why: string): Inconclusive =>
    new Inconclusive(findingOn(answer, { message: `Key "${purpose}" cannot be ${why}`, blames }));
  if (!answer.accepted) {
    throw noKey(`created: ${describeAnswer(answer)}`);
  }
  const found = secretIn(answer, former?.secret);
  if (found === undefined) {
    throw noKey('used: the answer shows no secret');
  }
  const { id } = attempt;
  if (id === undefined) {
    throw noKey(`used: nothing shows its id. ${adviceOnId(keysPath, answer)}`);
  }
  const { value: secret, place: pointer } = found;
  const creation =
    former === undefined ? madeBy(attempt, pointer) : former.creation && { ...former.creation, rotatedAt: pointer };
  const shownEnvironment = (['live', 'sandbox'] as const).find((one) => secret.startsWith(keyPrefix[one]));
  const key: ApiKey = {
    id,
    secret,
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
  return { id, record: { ...attempt, id }, key };
}

function madeBy({ collection, body }: Attempt, secretAt: string): KeyCreation | undefined {
  // Read in the body that was sent: redaction may have left the recorded one no JSON.
  const scopes = at(body, '/scopes');
  return Array.isArray(scopes)
    ? { collection, scopes: scopes.map((scope) => scalarText(scope) ?? ''), secretAt }
    : undefined;
}
