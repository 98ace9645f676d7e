import { walk } from '../../../common/json.ts';
import { isMasked } from '../../../common/masked.ts';
import { keyPrefix } from '../../../contract/scopes.ts';
import type { Answer } from '../../session/answer.ts';

/** A secret that an answer shows. */
export interface FoundSecret {
  /** The JSON pointer of the text that is or contains it. */
  readonly pointer: string;
  readonly secret: string;
}

const secretName = /^(key|value)$|secret|api_?key|token|plain|credential|password/i;
const isId = /(^|_)(id|uid|uuid)$|[a-z](Id|Uuid)$/;

/** Whether a text begins with a documented key prefix. */
const hasKeyPrefix = (text: string): boolean => Object.values(keyPrefix).some((prefix) => text.startsWith(prefix));

/**
 * The possible secrets in an answer that shows a new key, longest first: the texts with a documented prefix, whatever
 * their fields are called, but for those with which another begins; if there are none, those in a field that is named
 * like a secret. Masked texts do not count, nor those that were `sent` in the request.
 */
export function findSecrets(json: unknown, sent = ''): FoundSecret[] {
  const isSecretLike = (value: unknown): value is string =>
    typeof value === 'string' && value.length >= 12 && !isMasked(value) && !/\s/.test(value) && !sent.includes(value);
  const shown = walk(json)
    .flatMap(({ pointer, name, value }) => (isSecretLike(value) ? [{ pointer, name, secret: value }] : []))
    .filter(({ pointer }) => !pointer.startsWith('/meta/'))
    .sort((one, other) => other.secret.length - one.secret.length);
  const isBeginning = (text: string): boolean => shown.some(({ secret }) => secret !== text && secret.startsWith(text));
  const prefixed = shown.filter(({ secret }) => hasKeyPrefix(secret) && !isBeginning(secret));
  const best = prefixed.length > 0 ? prefixed : shown.filter(({ name }) => secretName.test(name) && !isId.test(name));
  return best.map(({ pointer, secret }) => ({ pointer, secret }));
}

/** A shorter text may occur in any other by chance. */
const shortestRandomPart = 12;

/** Whether an answer gives a whole secret away, with or without its prefix, which everybody knows. */
export function exposes(answer: Answer, secret: string): boolean {
  const prefix = Object.values(keyPrefix).find((one) => secret.startsWith(one)) ?? '';
  const random = secret.slice(prefix.length);
  return answer.unredacted(({ holds }) => holds(random.length < shortestRandomPart ? secret : random));
}
