import { walk } from '../../../../common/json.ts';
import { isMasked } from '../../../../common/masked.ts';
import { keyPrefix } from '../../../../contract/scopes.ts';

/** A secret that an answer shows, and where. */
export interface FoundSecret {
  readonly pointer: string;
  readonly secret: string;
}

const secretName = /^(key|value)$|secret|api_?key|token|plain|credential|password/i;
const isId = /(^|_)(id|uid|uuid)$|[a-z](Id|Uuid)$/;
const isRepeated = (text: string): boolean => /(.)\1{5}/i.test(text);
/** Random text, whatever its field is called; a UUID is an id. */
const random = /^(?!\w{8}(-\w{4}){3}-\w{12}$)(?=.*\d)(?=.*[A-Za-z])[\w~+/=.-]{24,}$/;
const isLabel = /name|label|title|description/i;

const isSecretLike = (value: unknown): value is string =>
  typeof value === 'string' && value.length >= 12 && !isMasked(value) && !isRepeated(value) && !/\s/.test(value);

/** A key of this service within a longer text, such as a sentence or a command: one that is masked, or goes on in dots, is none. */
const within = new RegExp(
  `(?<![\\w-])(?:${Object.values(keyPrefix).join('|')})[\\w~+/=-]+(?:\\.[\\w~+/=-]+)*(?![\\w~+/=-]|\\.?[…•]|\\.\\.|\\*{3})`,
  'g',
);
const keysWithin = (text: string): string[] =>
  (text.match(within) ?? []).filter((key) => key !== text && isSecretLike(key));

/** Whether a text begins as the keys of this service do. */
export const isOfService = (text: string): boolean =>
  Object.values(keyPrefix).some((prefix) => text.startsWith(prefix));

/** Texts that others of them begin with: in order, such a text stands right before one of these. */
function beginningsIn(texts: readonly string[]): ReadonlySet<string> {
  const sorted = [...new Set(texts)].sort();
  return new Set(sorted.filter((text, index) => sorted[index + 1]?.startsWith(text)));
}

/**
 * All that may be a key's secret in an answer that shows a new one, under whatever name: what looks like a key of this
 * service first, then what is named like one, then what looks random. A shown beginning of another one is none, nor is what the
 * request held that was answered.
 */
export function findSecrets(json: unknown, sent = ''): FoundSecret[] {
  const shown = walk(json).filter(({ pointer }) => !pointer.startsWith('/meta/'));
  const longestFirst = (a: FoundSecret, b: FoundSecret): number => b.secret.length - a.secret.length;
  const values = shown
    .flatMap(({ pointer, name, value }) => (isSecretLike(value) ? [{ pointer, name, secret: value }] : []))
    .sort(longestFirst);
  const inTexts = shown
    .flatMap(({ pointer, name, value }) =>
      typeof value === 'string' ? keysWithin(value).map((secret) => ({ pointer, name, secret })) : [],
    )
    .sort(longestFirst);
  const strings = [...values, ...inTexts].filter(({ secret }) => !sent.includes(secret));
  const hints = beginningsIn(strings.map(({ secret }) => secret));
  const whole = strings.filter(({ secret }) => !hints.has(secret));
  // The id of another key may be how that key's secret begins.
  const isNamedId = ({ name }: (typeof whole)[number]): number => Number(isId.test(name));
  const ofService = whole
    .filter(({ secret }) => isOfService(secret))
    .sort((one, other) => isNamedId(one) - isNamedId(other));
  const named = whole.filter(({ name }) => secretName.test(name) && !isId.test(name));
  const others = whole.filter(({ name, secret }) => random.test(secret) && !isId.test(name) && !isLabel.test(name));
  const best = [ofService, named, others].find((found) => found.length > 0) ?? [];
  return best.map(({ pointer, secret }) => ({ pointer, secret }));
}
