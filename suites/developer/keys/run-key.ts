import { at, parseJson, scalarText } from '../../../common/json.ts';
import type { Endpoint } from '../../../contract/endpoint.ts';
import { endpointOf } from '../../../contract/endpoints.ts';
import { type Environment, keyPrefix } from '../../../contract/scopes.ts';
import { Inconclusive } from '../../../results/outcome.ts';
import { type SecretCandidate, secretCandidates } from '../../../webhooks/signature/secret-candidates.ts';
import { resultOrNull } from '../../engine/check.ts';
import { describeAnswer, findingOn } from '../../engine/expect.ts';
import { adviceOnId } from '../../records/candidates.ts';
import type { Attempt, Created } from '../../records/own.ts';
import { isPlainRead, read, workingRead } from '../../records/reads.ts';
import type { Difference } from '../../session/api.ts';
import { type Answer, type ApiKey, type CallDetails, callOf, type KeyCreation } from '../../session/call.ts';
import { type Session, send, step } from '../../session/session.ts';

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

/**
 * The key that the answer to its creation shows or, where it was rotated since, that to its rotation. `purpose` is in
 * its label, which no other key has. Throws Inconclusive where the answer shows no key: nor can such a key be deleted.
 */
export function runKeyOf(
  session: Session,
  attempt: Attempt,
  { purpose, environment }: { readonly purpose: string; readonly environment: Environment },
  rotation?: { readonly answer: Answer; readonly former: ApiKey },
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
    throw noKey(`used: nothing shows its id. ${adviceOnId(keysPath, answer, attempt.tag)}`);
  }
  const { value: secret, place: pointer } = found;
  // Read in the body that was sent: redaction may have left the recorded one no JSON.
  const scopes = at(attempt.body, '/scopes');
  const { collection } = attempt;
  const made: KeyCreation | undefined = Array.isArray(scopes)
    ? { collection, scopes: scopes.map((scope) => scalarText(scope) ?? ''), secretAt: pointer }
    : undefined;
  const creation = former === undefined ? made : former.creation && { ...former.creation, rotatedAt: pointer };
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
  session.client.keys.set(key.label, key);
  return { id, record: { ...attempt, id }, key };
}

// --- Its uses

/** Sends a call with any key, at once. */
export type Use = (session: Session, key: ApiKey, details?: CallDetails) => Promise<Answer>;

/** Sends a documented read with any key, at once. */
export const tryKey: Use = async (session, key, details = {}) =>
  session.client.send(callOf(await workingRead(session), key, details));

/** Reads the usage of a key. */
export const readUsage = (
  session: Session,
  id: string,
  details: CallDetails & { readonly key: ApiKey },
): Promise<Answer> => send(session, `GET ${keysPath}/:id/usage`, { ...details, id });

/** Writes with which keys are tried, those first that leave least behind. The body of the last one is documented. */
const writes = ['inbox/categorize', 'content/review', 'ads/audits', 'investor/updates', 'inbox/draft'].map((path) =>
  endpointOf(`POST /api/v1/${path}`),
);

/** The first of the writes that the main key may make, or else the last. */
export const workingWrite = step(async (session): Promise<Endpoint> => {
  for (const endpoint of writes) {
    const call = session.api.arrange(session, endpoint, 'a working write');
    if ((await resultOrNull(call.then(({ twin }) => twin())))?.accepted) {
      return endpoint;
    }
  }
  return writes.at(-1) as Endpoint;
});

/** Sends a write with any key, at once; `label` is in its body. Throws as `arrange` does. */
export async function tryWrite(
  session: Session,
  key: ApiKey,
  label: string,
  details: Difference = {},
): Promise<Answer> {
  const call = await session.api.arrange(session, await workingWrite(session), label);
  return call.send({ purpose: 'documented', ...details, key });
}

/**
 * On the key list, on a write, and on a read of each module, every second one in the query: each may look keys up in a
 * place of its own, such as a cache.
 */
export const waysOf = step(async (session): Promise<readonly Use[]> => {
  const modules = Map.groupBy(session.api.endpoints.filter(isPlainRead), ({ scope }) => scope);
  modules.delete(null);
  const firsts = [endpointOf(`GET ${keysPath}`), ...[...modules.values()].flatMap(([first]) => first ?? [])];
  const answers = await Promise.all(firsts.map(({ id }) => resultOrNull(read(session, id))));
  const [list, ...reads] = firsts.map((endpoint, index): readonly Use[] =>
    answers[index]?.accepted ? [async ({ client }, key, details) => client.send(callOf(endpoint, key, details))] : [],
  );
  const write: Use = (_, key, details) => tryWrite(session, key, 'in every way', details);
  const others = [write, ...reads.flat()].map(
    (use, index): Use =>
      (one, key, details) =>
        use(one, key, index % 2 === 0 ? { ...details, mode: 'query' } : details),
  );
  // Key management may take no keys in the query, which also stand in logs.
  return [...(list ?? []), ...others];
});

/** Uses a key in every way, so that caches know it. Gives the answers; null: the call could not be made. */
export async function useInEveryWay(session: Session, key: ApiKey): Promise<readonly (Answer | null)[]> {
  const answers: (Answer | null)[] = [];
  for (const use of await waysOf(session)) {
    answers.push(await resultOrNull(use(session, key)));
  }
  return answers;
}
