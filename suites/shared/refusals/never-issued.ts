import { altered, alteredAt } from '../../records/unknown-ids.ts';
import type { ApiKey } from '../../session/call.ts';
import { mainKey, mainKeys, type Session } from '../../session/session.ts';

type Holder = Pick<Session, 'api' | 'settings'>;

/** Least length of what follows the prefix: a shorter key might be in use. */
const leastLength = 24;

/**
 * Keys that were never issued, in the forms that the clauses name: an unknown one with each documented prefix, the main
 * key with its last character altered, and an empty one, which is the last.
 */
export function neverIssuedKeys(session: Holder): readonly [ApiKey, ...ApiKey[]] {
  const main = mainKey(session);
  const { secret, label } = main;
  const ownPrefix = beginningOf(secret, session);
  const rest = secret.slice(ownPrefix.length).padEnd(leastLength, 'a1');
  const unknown = Object.entries(session.api.keyPrefixes).map(
    ([name, prefix]): Form => [name, (prefix ?? ownPrefix) + altered(rest, rest.length)],
  );
  const forms: Form[] = [...unknown, [`${label} altered in its last character`, altered(secret, 1)], ['empty key', '']];
  return formsAsKeys(session, main, forms) as readonly [ApiKey, ...ApiKey[]];
}

/** The key that was never issued which begins with the same documented prefix as a key, if there is one. */
export function unknownKeyLike(session: Holder, { secret }: ApiKey): ApiKey {
  const unknown = neverIssuedKeys(session);
  const prefix = documentedPrefixes(session.api).find((one) => secret.startsWith(one)) ?? '';
  return unknown.find((one) => one.secret.startsWith(prefix)) ?? unknown[0];
}

/** A key's label, and a form of the main key that it is. */
type Form = readonly [label: string, secret: string];

/**
 * The forms as keys that were never issued; not the main key itself, nor another given one: these may differ in their
 * prefix or their last character alone.
 */
const formsAsKeys = ({ api, settings }: Holder, main: ApiKey, forms: readonly Form[]): readonly ApiKey[] =>
  forms
    .filter(([, secret]) => !Object.values(settings).includes(secret))
    .map(([label, secret]) => ({
      secret,
      label,
      environment: api.keys[0].environment,
      origin: 'unknown',
      derivedFrom: main,
    }));

/**
 * Keys that only a careless lookup finds: forms of the main one, and one so near to each other given key, since another
 * environment may compare in another way.
 */
export function nearMissKeys(session: Holder): readonly ApiKey[] {
  const [main = mainKey(session), ...others] = mainKeys(session);
  const { secret, label } = main;
  const prefix = beginningOf(secret, session);
  const start = prefix.length;
  const rest = secret.slice(start);
  const at = [...secret].findLastIndex((one, place) => place >= start && one.toLowerCase() !== one.toUpperCase());
  const letter = secret.charAt(at);
  const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
  const longer = (key: ApiKey): Form => [`${key.label} with one character more`, `${key.secret}0`];
  const otherPrefixes = documentedPrefixes(session.api).filter((other) => other !== prefix);
  return [
    ...formsAsKeys(session, main, [
      [
        `${label} altered in the case of one letter`,
        at === -1 ? secret : secret.slice(0, at) + other + secret.slice(at + 1),
      ],
      [`${label} altered in its middle`, alteredAt(secret, Math.floor((secret.length + start) / 2))],
      longer(main),
      [`${label} with more after a semicolon`, `${secret};0`],
      [`${label} without its last character`, secret.slice(0, -1)],
      [`${label} without its prefix`, rest],
      // Where keys are looked up in an object of JavaScript, it has this one, too.
      ['key "valueOf"', 'valueOf'],
      ...otherPrefixes.map((other): Form => [`${label} with the prefix ${other}`, other + rest]),
    ]),
    ...others.flatMap((other) => formsAsKeys(session, other, [longer(other)])),
  ];
}

const documentedPrefixes = ({ keyPrefixes }: Session['api']): string[] =>
  Object.values(keyPrefixes).filter((prefix): prefix is string => prefix !== null && prefix !== '');

/** What a key begins with: a documented prefix, or words that look like one. Empty if that is more than half of it. */
function beginningOf(secret: string, { api }: Holder): string {
  const documented = documentedPrefixes(api).find((prefix) => secret.startsWith(prefix));
  const guessed = /^[A-Za-z0-9]{1,12}(?:[_-][A-Za-z]{1,10})*[_-]/.exec(secret)?.[0] ?? '';
  const prefix = documented ?? guessed;
  return prefix.length > secret.length / 2 ? '' : prefix;
}
