import { createHash, createHmac } from 'node:crypto';
import { bodyAs, bytesOf, contentsOf, type Ingredient, likeliest } from './contents.ts';
import { bounds, headerValues } from './delivery.ts';
import type { Discovery } from './describe.ts';
import { type Place, placeKey, type Scheme } from './scheme.ts';
import type { Scene } from './search.ts';
import { compactJws, isSignatureNamed, leavesOf, macBytes, type Token, textsOf } from './tokens.ts';

type Read = Pick<Scene, 'tokens' | 'delivery'>;
type Named = Readonly<Record<string, string>>;

/** The tokens that may be signatures. Those of 16 bytes do not count, since trace ids have that size. */
export const signatureTokens = ({ tokens }: Read): Token[] =>
  tokens.filter(({ bytes, mayBeSignature }) => bytes.length > 16 && mayBeSignature);

const keyOf = ({ place, bytes }: Token): string => `${placeKey(place)} ${bytes.toString('hex')}`;

/**
 * The discovery if no content under the secret explains a token: what the tokens are, or that there are none. `mistaken`:
 * keys that senders mistake for the secret, by what they are.
 */
export function explainNothingFound(scenes: readonly Scene[], secret: string, mistaken: Named): Discovery {
  const constant = constantTokens(scenes);
  const tokens = scenes.flatMap((scene) =>
    scene.tokens.filter((token) => token.mayBeSignature && (token.bytes.length > 16 || isSignatureNamed(token.place))),
  );
  const notes = notesOn(undefined, scenes, secret);
  const known = scenes.slice(0, 1).flatMap((scene) => otherAlgorithms(scene, secret, mistaken));
  const open = tokens.filter(
    (token) => !constant.has(keyOf(token)) && !known.some(({ place }) => placeKey(place) === placeKey(token.place)),
  );
  const sized = open.filter(({ bytes }) => bytes.length === macBytes);
  known.push(...open.filter(({ place, bytes }) => bytes.length !== macBytes && isSignatureNamed(place)).map(bySize));
  const unread = sized.length > 0 ? [...new Set(sized.map(({ place }) => placeKey(place)))] : unreadHeaders(scenes);
  // If there is another kind of signature, a value of the right size counts only in a place named for a signature.
  const isNamed = sized.some(({ place }) => isSignatureNamed(place));
  const mostDoubt = unread.length === 0 ? 2 : isNamed ? 0 : 1;
  const [other] = known.filter(({ doubt }) => doubt <= mostDoubt).sort((a, b) => a.doubt - b.doubt);
  if (other !== undefined) {
    const says = `Not signed with HMAC-SHA256 under the secret: ${placeKey(other.place)} holds ${other.algorithm}`;
    return { kind: 'other-algorithm', says, notes };
  }
  return unread.length > 0
    ? {
        kind: 'unknown-content',
        says: `Cannot be decided: ${unread.slice(0, 5).join(', ')} may hold an HMAC-SHA256 that was made with another secret or over content that was not tried, or in a form that cannot be read (hexadecimal and base64 can)`,
        notes,
      }
    : {
        kind: 'unsigned',
        says: 'Not signed: no header, query parameter or body field holds a value the size of a signature that changes with the payload',
        notes,
      };
}

/**
 * What a token is, if it is no HMAC-SHA256 under the secret. `doubt`, whether it is the signature: 0 for an HMAC-SHA256, 1
 * for what takes a key, 2 for what anybody can make.
 */
interface Known {
  readonly algorithm: string;
  readonly place: Place;
  readonly doubt: 0 | 1 | 2;
}

/** What has a size: a hash, or what a private key signs and a public one verifies. DER takes 70 to 72 bytes for ECDSA. */
const ofSize = (length: number): string =>
  ({ 16: 'MD5', 20: 'SHA-1', 48: 'SHA-384', 64: 'SHA-512 or, with a key pair, Ed25519 or ECDSA' })[length] ??
  `${length < 100 ? 'ECDSA' : 'RSA'}, with a key pair`;

/** A value of another size than an HMAC-SHA256's. */
const bySize = ({ place, bytes: { length } }: Token): Known => ({
  algorithm: `a value of ${length} bytes, as of ${ofSize(length)}; an HMAC-SHA256 has ${macBytes}`,
  place,
  doubt: 1,
});

/** What a delivery's tokens are: HMACs with a mistaken key, hashes, a JWS of another algorithm. */
function otherAlgorithms(scene: Scene, secret: string, mistaken: Named): Known[] {
  const { tokens } = scene;
  const made = tokens.length === 0 ? [] : digests(scene, secret, mistaken);
  return [
    ...made.flatMap(({ bytes, ...known }) =>
      tokens
        .filter((token) => token.bytes.equals(bytes.subarray(0, token.bytes.length)))
        .map(({ place }): Known => ({ ...known, place })),
    ),
    ...textsOf(scene.delivery, leavesOf(scene.json)).flatMap(({ place, text }): Known[] => {
      const [, head = ''] = compactJws.exec(text.slice(0, 16_384)) ?? [];
      const [, algorithm] = /"alg":\s*"(\w+)"/.exec(Buffer.from(head, 'base64url').toString('latin1')) ?? [];
      return algorithm === undefined || algorithm === 'HS256'
        ? []
        : [{ algorithm: `JWS ${algorithm}`, place, doubt: 1 }];
    }),
  ];
}

const hashes = { sha256: 'SHA-256', sha1: 'SHA-1', sha512: 'SHA-512', md5: 'MD5' } as const;
/** What a sender's library makes of a secret that is not set. */
const noSecrets = { 'an empty key': '', 'the key "undefined"': 'undefined', 'the key "null"': 'null' };

/** HMACs of usual contents under keys that are mistaken for the secret, and hashes of the body, with the secret or not. */
function digests({ delivery: { body }, ingredients }: Scene, secret: string, mistaken: Named) {
  // Each is hashed some seven times.
  const most = Math.ceil(bounds.hashedBytes / 7 / (body.length + 1));
  const few = likeliest(ingredients);
  const usual = [...contentsOf(few, [0, 1, 2], bodyAs(body), ['.', ':', ''])].slice(0, most);
  const ofFile = { 'the secret with a line feed': `${secret}\n` };
  const keys = Object.entries({ ...noSecrets, ...ofFile, ...mistaken }).map(
    ([words, key]) => [`HMAC-SHA-256 under ${words} instead of the secret`, key] as const,
  );
  const hmacs = [['only the beginning of an HMAC-SHA-256', secret] as const, ...keys].flatMap(([algorithm, key]) =>
    usual.map((content) => ({
      algorithm,
      doubt: 0 as const,
      bytes: createHmac('sha256', key).update(bytesOf(content)).digest(),
    })),
  );
  const plain = Object.entries(hashes).map(([hash, name]) => ({
    algorithm: `${name} of the body without a key, not an HMAC`,
    doubt: 2 as const,
    bytes: createHash(hash).update(body).digest(),
  }));
  // As HubSpot and Lark put the secret among what they hash.
  const own: Ingredient = { text: secret, parts: [] };
  const withSecret = [...contentsOf({ secrets: [own], ...few }, [1, 2, 3], bodyAs(body), ['', '.', ':'])]
    .filter(({ pieces }) => pieces.includes(own))
    .slice(0, most)
    .map((content) => ({
      algorithm: 'SHA-256 of the secret and the body, not an HMAC',
      doubt: 1 as const,
      bytes: createHash('sha256').update(bytesOf(content)).digest(),
    }));
  return [...hmacs, ...plain, ...withSecret];
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

/** Headers with what may be a signature in a form that is not read: they are named for one, and long enough. */
function unreadHeaders(scenes: readonly Read[]): string[] {
  const names = scenes.flatMap(({ delivery, tokens }) =>
    delivery.headers.flatMap(([name, value]) => {
      const isRead = tokens.some((token) => token.place.name === name && token.bytes.length > 16);
      return !isRead && isSignatureNamed({ from: 'header', name }) && value.length >= 43 ? [name.toLowerCase()] : [];
    }),
  );
  const isConstant = (name: string): boolean =>
    scenes.length > 1 && new Set(scenes.map(({ delivery }) => headerValues(delivery, name).join())).size === 1;
  return [...new Set(names)].filter((name) => !isConstant(name)).map((name) => `header ${name}`);
}

/** Remarks for whoever reads the discovery, on its scheme, if one was found. */
export const notesOn = (scheme: Scheme | undefined, scenes: readonly Scene[], secret: string): string[] => [
  ...(scheme?.kind === 'parts' && scheme.time === undefined
    ? ['No time is signed: a delivery that somebody recorded can be sent again at any time']
    : []),
  ...scenes
    .flatMap(({ delivery }) => delivery.headers)
    .filter(([, value]) => secret.length >= 8 && value.includes(secret))
    .slice(0, 1)
    .map(([name]) => `Header ${name} carries the secret itself: whoever sees one delivery can sign others`),
  ...(scenes.length < 2 ? ['One delivery only: another one, with a different body and time, would confirm it'] : []),
];
