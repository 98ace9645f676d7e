import { createHash, createHmac, type KeyObject } from 'node:crypto';
import { bodyAs, bytesOf, contentsOf, isGeneral, likeliest } from './contents.ts';
import { bounds, type Delivery, headerValues } from './delivery.ts';
import type { Discovery, Tried } from './discovery.ts';
import { keysOf } from './keys.ts';
import { type Place, placeKey, type Scheme } from './scheme.ts';
import type { Scene } from './search.ts';
import { findTokens, isSignatureNamed, macBytes, otherSizes, type Token, tokensIn } from './tokens.ts';

type Read = Pick<Scene, 'tokens' | 'delivery'>;

/**
 * The tokens that may be signatures. In a body only fields named for a signature count, since bodies are full of
 * hashes. Tokens of 16 bytes do not count, since trace ids have that size.
 */
export const signatureTokens = ({ tokens }: Read): Token[] =>
  tokens.filter(
    ({ place, bytes }) => bytes.length > 16 && (place.from !== 'field' || place.name === '' || isSignatureNamed(place)),
  );

const keyOf = ({ place, bytes }: Token): string => `${placeKey(place)} ${bytes.toString('hex')}`;

/** The secret, and keys that senders mistake for it, by what they are. */
interface Keys {
  readonly secret: string;
  readonly mistaken: Readonly<Record<string, string>>;
}

/** The discovery if no content under the secret explains a token: what the tokens are, or that there are none. */
export function explainNothingFound(scenes: readonly Scene[], keys: Keys, tried: Tried): Discovery {
  const constant = constantTokens(scenes);
  const tokens = scenes.flatMap(signatureTokens);
  const notes = [
    ...notesOn(undefined, scenes, keys.secret),
    ...placesOf(tokens.filter((token) => constant.has(keyOf(token)))).map(
      (place) => `${placeKey(place)} has the same value in deliveries with different bodies, so it signs no payload`,
    ),
  ];
  const known = scenes.slice(0, 1).flatMap((scene) => otherAlgorithms(scene, keys));
  const open = tokens.filter(
    (token) => !constant.has(keyOf(token)) && !known.some(({ place }) => placeKey(place) === placeKey(token.place)),
  );
  const sized = open.filter(({ bytes }) => bytes.length === macBytes);
  const unsized = open.find(({ place, bytes }) => bytes.length !== macBytes && isSignatureNamed(place));
  const unread = sized.length > 0 ? placesOf(sized) : unreadPlaces(scenes);
  // If there is another kind of signature, a value of the right size counts only in a place named for a signature.
  const isNamed = sized.some(({ place }) => isSignatureNamed(place));
  const keyed = isNamed ? undefined : (known.find(({ isKeyed }) => isKeyed) ?? bySize(unsized));
  const other = known.find(({ isHmacSha256 }) => isHmacSha256) ?? keyed ?? (unread.length > 0 ? undefined : known[0]);
  if (other !== undefined) {
    const { isKeyed: _, ...told } = other;
    return { kind: 'other-algorithm', ...told, notes };
  }
  return unread.length > 0 ? { kind: 'unknown-content', places: unread, tried, notes } : { kind: 'unsigned', notes };
}

const placesOf = (tokens: readonly Token[]): Place[] => [
  ...new Map(tokens.map(({ place }) => [placeKey(place), place])).values(),
];

/** What a token is, if it is no HMAC-SHA256 under the secret. Without a key anybody can make it. */
interface Known {
  readonly algorithm: string;
  readonly place: Place;
  readonly isKeyed: boolean;
  readonly isHmacSha256?: true;
}

/** What a value of another size than an HMAC-SHA256's seems to be. */
const bySize = (token: Token | undefined): Known | undefined =>
  token && {
    algorithm: `a value of ${token.bytes.length} bytes, the size of ${otherSizes[token.bytes.length]}; an HMAC-SHA256 has ${macBytes}`,
    place: token.place,
    isKeyed: true,
  };

/** What a delivery's tokens are: HMACs with another hash or a mistaken key, plain hashes, a JWS of another algorithm. */
function otherAlgorithms(scene: Scene, keys: Keys): Known[] {
  const { delivery, tokens } = scene;
  const made = digests(scene, keys);
  return [
    ...made.flatMap(({ bytes, ...known }) =>
      tokens.filter((token) => token.bytes.equals(bytes)).map(({ place }) => ({ ...known, place })),
    ),
    ...delivery.headers.flatMap(([name, value]): Known[] => {
      const [, head = ''] = /(?<![\w-])(ey[\w-]+)\.[\w-]*\.[\w-]+/.exec(value.slice(0, 16_384)) ?? [];
      const [, algorithm] = /"alg":\s*"(\w+)"/.exec(Buffer.from(head, 'base64url').toString('latin1')) ?? [];
      return algorithm === undefined || algorithm === 'HS256'
        ? []
        : [{ algorithm: `JWS ${algorithm}`, place: { from: 'header', name }, isKeyed: true }];
    }),
  ];
}

const hashes = { sha256: 'SHA-256', sha1: 'SHA-1', sha512: 'SHA-512' } as const;
/** What a sender's library makes of a secret that is not set. */
const noSecrets = { 'an empty key': '', 'the key "undefined"': 'undefined', 'the key "null"': 'null' };

/** Digests of usual contents: HMACs with another hash or without the secret, and hashes of the body and the secret. */
function digests({ delivery: { body }, ingredients }: Scene, { secret, mistaken }: Keys) {
  const usual = [...contentsOf(likeliest(ingredients), [0, 1, 2], bodyAs(body), ['.', ':', ''])].map(bytesOf);
  const hmacs = (hash: string, key: KeyObject | string, algorithm: string) =>
    usual.map((content) => ({ algorithm, isKeyed: true, bytes: createHmac(hash, key).update(content).digest() }));
  const underMistaken = Object.entries({ ...noSecrets, ...mistaken }).flatMap(([words, key]) =>
    hmacs('sha256', key, `HMAC-SHA-256 under ${words} instead of the secret`),
  );
  const others = Object.entries(hashes).flatMap(([hash, name]) => {
    const plain = (words: string, isKeyed: boolean, ...pieces: readonly (string | Buffer)[]) => {
      const text = Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
      return { algorithm: `${name} of ${words}, not an HMAC`, isKeyed, bytes: createHash(hash).update(text).digest() };
    };
    return [
      ...keysOf(secret).flatMap(({ key }) => hmacs(hash, key, `HMAC-${name}`)),
      plain('the body without a key', false, body),
      plain('the secret and the body', true, secret, body),
      plain('the body and the secret', true, body, secret),
    ];
  });
  return [...underMistaken.map((one) => ({ ...one, isHmacSha256: true as const })), ...others];
}

/** The tokens that occur at one place with different bodies, and so sign none of them. */
function constantTokens(scenes: readonly Read[]): Set<string> {
  const all = scenes.flatMap(({ tokens, delivery }) =>
    tokens.map((token) => ({ key: keyOf(token), body: delivery.body })),
  );
  const constant = [...Map.groupBy(all, ({ key }) => key)].filter(([, group]) =>
    group.some(({ body }) => !group[0]?.body.equals(body)),
  );
  return new Set(constant.map(([key]) => key));
}

/** Whether a text holds 32 bytes in a form that is not read: base32, or as the credentials of Basic. */
const holdsUnread = (text: string): boolean =>
  /(?<![A-Za-z0-9])(?:[A-Z2-7]{52}|[a-z2-7]{52})(?![A-Za-z0-9])/.test(text) ||
  tokensIn(Buffer.from(/^Basic +(\S+)$/i.exec(text)?.[1] ?? '', 'base64').toString('latin1')).some(
    ({ bytes }) => bytes.length === macBytes,
  );

/** Headers with what may be a signature in a form that is not read: they hold one, or are named for one and long enough. */
function unreadPlaces(scenes: readonly Read[]): Place[] {
  const names = scenes.flatMap(({ delivery, tokens }) =>
    delivery.headers.flatMap(([name, value]) => {
      const isRead = tokens.some((token) => token.place.name === name && token.bytes.length > 16);
      const isLong = isSignatureNamed({ from: 'header', name }) && value.length >= 43;
      return !isRead && (isLong || holdsUnread(value.slice(0, bounds.headerLength))) ? [name.toLowerCase()] : [];
    }),
  );
  const isConstant = (name: string): boolean =>
    scenes.length > 1 && new Set(scenes.map(({ delivery }) => headerValues(delivery, name).join())).size === 1;
  return [...new Set(names)].filter((name) => !isConstant(name)).map((name) => ({ from: 'header', name }));
}

/** Remarks for whoever reads the discovery, on its scheme, if one was found. */
export const notesOn = (scheme: Scheme | undefined, scenes: readonly Scene[], secret: string): string[] => [
  ...(scheme?.kind === 'parts' && scheme.time === undefined ? [timeNote(scenes)] : []),
  ...scenes
    .flatMap(({ delivery }) => delivery.headers)
    .filter(([, value]) => secret.length >= 8 && value.includes(secret))
    .slice(0, 1)
    .map(([name]) => `Header ${name} carries the secret itself: whoever sees one delivery can sign others`),
  ...(scenes.length < 2 ? ['One delivery only: another one, with a different body and time, would confirm it'] : []),
];

function timeNote(scenes: readonly Scene[]): string {
  const places = scenes.flatMap(({ ingredients }) => ingredients.times.flatMap(({ parts }) => parts));
  const place = places.find((part) => part.from === 'header' && !isGeneral(part.name) && !/^date$/i.test(part.name));
  return place?.from === 'header'
    ? `The time at ${placeKey(place)} is not part of the signed content, so it protects nothing`
    : 'No time is signed: a delivery that somebody recorded can be sent again at any time';
}

/** A webhook's deliveries, and how they are signed. */
interface SignedDeliveries {
  readonly deliveries: readonly Delivery[];
  readonly discovery: Discovery;
}

/**
 * The place of a signature which proves that two webhooks with different secrets are signed with one key, whichever it
 * is: it is equal over equal bytes, and no other signature differs. Undefined if there is no such pair of deliveries,
 * or if one of the webhooks is known to be signed with its secret.
 */
export function oneKeyForBoth(one: SignedDeliveries, other: SignedDeliveries): Place | undefined {
  if (one.discovery.kind === 'verified' || other.discovery.kind === 'verified') {
    return undefined;
  }
  // More deliveries, as of a flood, show nothing new.
  const [ofOne, ofOther] = [one, other].map(({ deliveries }) =>
    deliveries.slice(0, 30).map((delivery): Read => ({ delivery, tokens: findTokens(delivery) })),
  ) as [Read[], Read[]];
  const constant = constantTokens([...ofOne, ...ofOther]);
  const signing = (scene: Read): Token[] => {
    const plain = Object.keys(hashes).map((hash) => createHash(hash).update(scene.delivery.body).digest());
    return signatureTokens(scene).filter(
      (token) =>
        isSignatureNamed(token.place) && !constant.has(keyOf(token)) && !plain.some((hash) => hash.equals(token.bytes)),
    );
  };
  for (const first of ofOne.filter(({ delivery }) => delivery.body.length > 0)) {
    for (const second of ofOther.filter(({ delivery }) => delivery.body.equals(first.delivery.body))) {
      const [mine, theirs] = [signing(first), signing(second)];
      if (mine.map(keyOf).join() === theirs.map(keyOf).join() && mine[0] !== undefined) {
        return mine[0].place;
      }
    }
  }
  return undefined;
}
