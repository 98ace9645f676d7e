import type { Faker } from '@faker-js/faker';
import { createGenerator } from '../../../fixtures/generator.ts';
import type { ApiKey } from '../../session/key.ts';
import { mainKey } from '../../session/keys.ts';
import type { Session } from '../../session/session.ts';
import { altered, alteredAt } from '../unknown-ids/altered.ts';

type Holder = Pick<Session, 'api' | 'settings' | 'seed' | 'tag'>;

/** Shorter keys might be somebody's. */
const leastLength = 24;

/**
 * Keys that were never issued, in the forms that the clauses name: unknown ones of each look, the main key with its last
 * character altered, and an empty one, which is the last.
 */
export function neverIssued(session: Holder): readonly [ApiKey, ...ApiKey[]] {
  const main = mainKey(session);
  const faker = createGenerator(session.seed)(`never issued ${session.tag}`);
  const prefix = prefixOf(main.secret, session);
  const looks = Object.entries(session.api.keyLooks).map(([label, look]) =>
    unknownKey(main, label, (look ?? prefix) + randomLike(main.secret.slice(prefix.length), faker)),
  );
  const others = [
    unknownKey(main, `${main.label} altered in its last character`, altered(main.secret, 1)),
    unknownKey(main, 'empty key', ''),
  ] as const;
  return [...(looks as [ApiKey]), ...others];
}

/** Keys so near to the main one that only a slack comparison takes them for it. */
export function nearMisses(session: Holder): readonly ApiKey[] {
  const main = mainKey(session);
  const { secret, label } = main;
  const start = prefixOf(secret, session).length;
  const cased = [...secret].findLastIndex((one, at) => at >= start && one.toLowerCase() !== one.toUpperCase());
  const forms = [
    ...(cased === -1 ? [] : [['altered in the case of one letter', withCaseAltered(secret, cased)] as const]),
    ['altered in its middle', alteredAt(secret, Math.floor((secret.length + start) / 2))],
    ['with one character more', `${secret}0`],
    ['without its last character', secret.slice(0, -1)],
  ] as const;
  return forms.map(([what, form]) => unknownKey(main, `${label} ${what}`, form));
}

/** Patterns, and keys made of parts of the main one, which no exact lookup finds. */
export function fragments(session: Holder): readonly ApiKey[] {
  const main = mainKey(session);
  const { secret, label } = main;
  const prefix = prefixOf(secret, session);
  const start = prefix.length;
  const forms = [
    ['in upper case', secret.toUpperCase()],
    ['in lower case', secret.toLowerCase()],
    ['cut off, with a wildcard', `${secret.slice(0, (secret.length + start) >> 1)}%`],
    ...(start === 0
      ? []
      : ([
          ['cut to its prefix, with a wildcard', `${prefix}*`],
          ['without its prefix', secret.slice(start)],
        ] as const)),
    ...otherPrefixes(session, prefix).map((other) => [`under ${other}`, other + secret.slice(start)] as const),
  ] as const;
  const words = [
    ['wildcard *', '*'],
    ['wildcard %', '%'],
    // Tables that inherit names of their language's own find something under them.
    ['name that every object inherits', 'constructor'],
    // What is not set is written so.
    ['word undefined', 'undefined'],
    ['word null', 'null'],
  ] as const;
  return [
    ...forms.filter(([, form]) => form !== secret).map(([what, form]) => unknownKey(main, `${label} ${what}`, form)),
    ...words.map(([what, word]): ApiKey => ({ ...unknownKey(main, what, word), isWord: true })),
  ];
}

/** Documented prefixes that the key does not have. */
const otherPrefixes = ({ api }: Holder, prefix: string): string[] =>
  Object.values(api.keyLooks).filter((look): look is string => look !== null && look !== '' && look !== prefix);

/** Such keys are nobody's: a main key of a sandbox may be sent in their place. */
const unknownKey = (main: ApiKey, label: string, secret: string): ApiKey => ({
  secret,
  label,
  environment: main.environment === 'workspace' ? 'workspace' : 'sandbox',
  origin: 'unknown',
  like: main,
});

/** What a key begins with: a documented prefix, or words that look like one. */
function prefixOf(secret: string, { api }: Holder): string {
  const documented = Object.values(api.keyLooks).find(
    (look) => look !== null && look !== '' && secret.startsWith(look),
  );
  const guessed = /^[A-Za-z0-9]{1,12}(?:[_-][A-Za-z]{1,10})*[_-]/.exec(secret)?.[0] ?? '';
  const prefix = documented ?? guessed;
  return prefix.length > secret.length / 2 ? '' : prefix;
}

/** Random characters of the same kinds, so that the key keeps its look. */
function randomLike(text: string, { string }: Faker): string {
  const isHex = /^[0-9a-f]+$/i.test(text);
  const lowerCase = isHex ? 'abcdef' : 'abcdefghijkmnopqrstuvwxyz';
  const kinds = ['23456789', lowerCase, lowerCase.toUpperCase()];
  return [...text.padEnd(leastLength, 'a1')]
    .map((one) => {
      const kind = [/[0-9]/, /[a-z]/, /[A-Z]/].findIndex((pattern) => pattern.test(one));
      return kind === -1 ? one : string.fromCharacters(kinds[kind] ?? one, 1);
    })
    .join('');
}

function withCaseAltered(text: string, at: number): string {
  const one = text.charAt(at);
  const other = one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase();
  return text.slice(0, at) + other + text.slice(at + 1);
}
