import { pointerNames, walk } from '../../common/json.ts';
import { isMasked } from '../../common/masked.ts';
import type { HeaderLines } from './delivery.ts';
import { readTime } from './read/times.ts';

/** A text that may be a webhook's signing secret. */
export interface SecretCandidate {
  readonly value: string;
  /** JSON pointer or `header …`. */
  readonly place: string;
  /** Its place is named for a secret; else only its look speaks for it. */
  readonly named: boolean;
}

const most = 12;

/**
 * Every string that an answer shows and that could be a signing secret, likeliest first. Names only order: any text of enough
 * entropy counts that is no id, URL, time or word, and was not sent. `sent`: the body of the request that was answered.
 */
export function secretCandidates(json: unknown, headers: HeaderLines = [], sent?: unknown): readonly SecretCandidate[] {
  const echoes = new Set(stringsIn(sent).map(({ value }) => value));
  const shown = [
    ...stringsIn(json),
    ...headers.map(([name, value]) => ({
      value: value.trim(),
      place: `header ${name}`,
      name: name.replaceAll('-', '_'),
    })),
  ];
  const ids = new Set(shown.filter(({ name }) => isIdName(name)).map(({ value }) => value));
  const ranked = shown
    .filter(({ value }) => couldBe(value) && !echoes.has(value))
    .map((one) => ({ ...one, rank: rankOf(one.name, one.value, ids.has(one.value)) }))
    .filter(({ rank }) => rank <= byLook)
    .sort((a, b) => a.rank - b.rank);
  return [...Map.groupBy(ranked, ({ value }) => value).values()]
    .flatMap((group) => group.slice(0, 1))
    .slice(0, most)
    .map(({ value, place, rank }) => ({ value, place, named: rank < byLook }));
}

interface Shown {
  readonly value: string;
  readonly place: string;
  /** The names of the last two fields on the way to it; an index is none. */
  readonly name: string;
}

const stringsIn = (json: unknown): Shown[] =>
  walk(json).flatMap(({ value, pointer }): Shown[] =>
    typeof value === 'string'
      ? [
          {
            value,
            place: pointer,
            name: pointerNames(pointer)
              .filter((name) => !/^\d+$/.test(name))
              .slice(-2)
              .join('_'),
          },
        ]
      : [],
  );

/** Of a length that a person or a generator makes, whole, and neither a URL nor an address. */
const couldBe = (text: string): boolean =>
  text.length >= 8 &&
  text.length <= 512 &&
  !/\s/.test(text) &&
  !isMasked(text) &&
  !/^[a-z][a-z0-9+.-]*:\/\//i.test(text) &&
  !/^[^@/]+@[^@/]+\.[a-z]+$/i.test(text);

/** What counts or dates something, unless it is called a secret: so many digits hold what a secret needs. */
const isNumber = (text: string): boolean => /^[-+]?\d*\.?\d{1,15}$/.test(text) || readTime(text) !== undefined;

const snake = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
const isIdName = (name: string): boolean =>
  /(^|[_.-])(ids?|uuid|uid|guid|ref|etag|trace|request|ray|cursor|nonce|cookie|csrf|policy|version|hash|digest|fingerprint|checksum)$/.test(
    snake(name),
  );
/** Texts about a secret, or about its purpose: a run's own words look random, too. */
const aboutSecret =
  /(_|^)(type|hint|last_?4|prefix|suffix|created|expires|rotated|at|name|label|title|description|notes?|comment|algorithm|status|masked|scope|usage)$/;
/** The ranks: the smaller the likelier. */
const [bySecret, bySigning, byKey, byLook, none] = [0, 1, 2, 3, 4];

function rankOf(name: string, value: string, isId: boolean): number {
  const spelled = snake(name);
  if (isId || isIdName(name) || aboutSecret.test(spelled)) {
    return none;
  }
  if (/secret/.test(spelled) || /^(v1,)?whsec_/.test(value)) {
    return bySecret;
  }
  if (isNumber(value)) {
    return none;
  }
  if (/sign|hmac|verif|shared/.test(spelled)) {
    return bySigning;
  }
  if (/key|token|password|passphrase|credential|salt/.test(spelled)) {
    return byKey;
  }
  return isRandom(value) ? byLook : none;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** What a text of that entropy, in bits, may be expected to be made for. */
const enoughBits = 64;

/** Where something lies, as a Location tells it: `/v1/webhooks/17`. */
const path = /^\/[a-z][\w-]{0,19}\//;
/** Drawn from letters and digits alike, as generators do, and of one piece; neither a UUID nor a path, which name something. */
function isRandom(text: string): boolean {
  if (!/^[\w+/=~.-]+$/.test(text) || path.test(text)) {
    return false;
  }
  const classes = [/[a-z]/, /[A-Z]/, /\d/, /[+/=_~.-]/].filter((one) => one.test(text)).length;
  return text.length >= 20 && classes >= 2 && /\d/.test(text) && !uuid.test(text) && entropyOf(text) >= enoughBits;
}

/** Shannon's, of the characters that it has, in bits. */
function entropyOf(text: string): number {
  const counts = Map.groupBy(text, (character) => character);
  const shares = [...counts.values()].map(({ length }) => length / text.length);
  return -text.length * shares.reduce((sum, share) => sum + share * Math.log2(share), 0);
}
