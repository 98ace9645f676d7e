import type { KeyObject } from 'node:crypto';
import { createHash, createHmac, createSecretKey, getHashes } from 'node:crypto';
import { bounds } from './bounds.ts';
import { commonPatterns, fillPattern } from './contents.ts';
import { jwsHeaders } from './jws.ts';
import { keysOf } from './keys.ts';
import type { Source } from './scheme.ts';
import type { Scene } from './search.ts';
import { sourceKey } from './source.ts';
import type { Token } from './tokens.ts';

export interface OtherAlgorithm {
  readonly algorithm: string;
  readonly token: Source;
  /** True where the value needs no key: anybody can make it, so beside an unexplained token it says nothing. */
  readonly unkeyed: boolean;
}

const hashes = [
  ['sha256', 'SHA-256'],
  ['sha1', 'SHA-1'],
  ['sha512', 'SHA-512'],
  ['sha384', 'SHA-384'],
  ['md5', 'MD5'],
  ['sha512-256', 'SHA-512/256'],
  ['sha3-256', 'SHA3-256'],
] as const;

/** Keys that a server uses by mistake, defaults of a setting that nobody made included. */
const mistakenKeys = [
  '',
  'undefined',
  'null',
  'None',
  '[object Object]',
  'secret',
  'changeme',
  'change-me',
  'webhook_secret',
  'test',
];

/**
 * Names what a delivery's tokens are, where they are no HMAC-SHA256 under the secret: an HMAC with another hash or under a
 * mistaken key, a hash of secret and body, a plain hash, a JWS or a signature with a public key.
 */
export function findOtherAlgorithms(scene: Scene, secret: string): OtherAlgorithm[] {
  const bySize = new Map<string, Token[]>();
  for (const token of scene.tokens) {
    bySize.set(token.bytes.toString('hex'), [...(bySize.get(token.bytes.toString('hex')) ?? []), token]);
  }
  if (bySize.size === 0) {
    return asymmetric(scene);
  }
  const named: OtherAlgorithm[] = [];
  const note = (digest: string, algorithm: string, unkeyed = false): void => {
    for (const { source } of bySize.get(digest) ?? []) {
      named.push({ algorithm, token: source, unkeyed });
    }
  };
  const sizes = new Set(scene.tokens.map(({ bytes }) => bytes.length));
  for (const [hash, name] of hashes.filter(
    ([each]) => getHashes().includes(each) && sizes.has(createHash(each).digest().length),
  )) {
    tryHmacs(scene, hash, keysFor(hash, secret), (digest, key) => note(digest, `HMAC-${name}${key}`));
    tryHashes(scene, hash, secret, (digest, content, unkeyed) =>
      note(digest, `${name} of ${content}, not an HMAC`, unkeyed),
    );
  }
  return distinct([...named, ...asymmetric(scene)]);
}

function keysFor(hash: string, secret: string): { key: KeyObject; suffix: string }[] {
  const given = hash === 'sha256' ? [] : keysOf(secret).map(({ object }) => ({ key: object, suffix: '' }));
  const mistaken = mistakenKeys.map((text) => ({
    key: createSecretKey(Buffer.from(text)),
    suffix: ` under the key "${text}" instead of the secret`,
  }));
  return [...given, ...mistaken];
}

function tryHmacs(
  scene: Scene,
  hash: string,
  keys: ReturnType<typeof keysFor>,
  note: (digest: string, key: string) => void,
): void {
  const body = scene.bodies.of('raw') ?? Buffer.alloc(0);
  let left = bounds.hashedBytes / 4;
  for (const pattern of commonPatterns) {
    for (const { before, after } of fillPattern(pattern, scene.ingredients)) {
      for (const { key, suffix } of keys) {
        if ((left -= body.length + 256) < 0) {
          return;
        }
        const hmac = createHmac(hash, key);
        for (const { text } of before) {
          hmac.update(text);
        }
        hmac.update(body);
        for (const { text } of after) {
          hmac.update(text);
        }
        note(hmac.digest('hex'), suffix);
      }
    }
  }
}

function tryHashes(
  scene: Scene,
  hash: string,
  secret: string,
  note: (digest: string, content: string, unkeyed: boolean) => void,
): void {
  const { body, method } = scene.delivery;
  const digest = (...pieces: (string | Buffer)[]): string => {
    const made = createHash(hash);
    for (const piece of pieces) {
      made.update(piece);
    }
    return made.digest('hex');
  };
  note(digest(body), 'the body without a key', true);
  note(digest(secret), 'the secret alone', false);
  for (const key of keysOf(secret).filter(({ form }) => form.decode !== 'sha256' && form.decode !== 'sha256-hex')) {
    for (const [name, separator] of [
      ['', ''],
      [' with "."', '.'],
      [' with ":"', ':'],
    ] as const) {
      note(digest(key.bytes, separator, body), `the secret and the body${name}`, false);
      note(digest(body, separator, key.bytes), `the body and the secret${name}`, false);
    }
    for (const { text } of scene.ingredients.urls) {
      note(digest(key.bytes, method, text, body), 'secret, method, URL and body', false);
    }
    for (const { text } of scene.ingredients.timestamps) {
      note(digest(key.bytes, text, body), 'secret, timestamp and body', false);
    }
  }
}

/** Signatures with a public key, told by a JWS header or by a size that no digest has. */
function asymmetric(scene: Scene): OtherAlgorithm[] {
  const jws = jwsHeaders(scene.delivery)
    .filter(({ jws: { algorithm } }) => algorithm !== 'HS256')
    .map(({ name, jws: { algorithm } }) => ({
      algorithm: `JWS ${algorithm.slice(0, 20)}`,
      token: { in: 'header', name, label: null } as const,
      unkeyed: false,
    }));
  const sized = scene.delivery.headers
    .slice(0, bounds.headers)
    .filter(([name]) => /sign/i.test(name))
    .flatMap(([name, value]): OtherAlgorithm[] => {
      const run = /[A-Za-z0-9+/_-]{90,}={0,2}/.exec(value.slice(0, bounds.headerLength))?.[0] ?? '';
      const size = /^(?:[0-9a-fA-F]{2})+$/.test(run) ? run.length / 2 : Buffer.from(run, 'base64').length;
      const kind = [128, 256, 384, 512].includes(size) ? 'RSA' : size >= 68 && size <= 72 ? 'ECDSA' : undefined;
      return kind === undefined
        ? []
        : [
            {
              algorithm: `a signature of ${size} bytes, the size of ${kind}`,
              token: { in: 'header', name, label: null },
              unkeyed: false,
            },
          ];
    });
  return [...jws, ...sized];
}

function distinct(all: readonly OtherAlgorithm[]): OtherAlgorithm[] {
  const seen = new Map<string, OtherAlgorithm>();
  for (const each of all) {
    const key = `${each.algorithm} ${sourceKey(each.token)}`;
    if (!seen.has(key)) {
      seen.set(key, each);
    }
  }
  return [...seen.values()];
}
