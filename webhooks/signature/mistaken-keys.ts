import { createHash } from 'node:crypto';
import { keysOf, shownSecret } from './keys.ts';
import type { Scene } from './search.ts';

/** A text that a server may use as the secret by mistake, and its name in reports. */
interface MistakenKey {
  readonly key: string | Buffer;
  readonly words: string;
}

/** Keys that are used if nobody set a secret: empty values as code writes them, and usual defaults. */
const defaults = [
  ...['', 'undefined', 'null', 'None', '[object Object]', 'secret', 'changeme', 'change-me', 'webhook_secret'],
  ...[
    'webhook-secret',
    'default',
    'default-secret',
    'default_secret',
    'your-secret',
    'supersecret',
    'password',
    'test',
  ],
];

/** The usual lengths of database columns and settings, in characters or bytes. */
const lengths = [8, 10, 12, 16, 20, 24, 30, 32, 36, 40, 48, 50, 64];

/** The secret as a column, a form or a log may change it: truncated, in another case, quoted, encoded once more. */
function damaged(secret: string): MistakenKey[] {
  const bytes = Buffer.from(secret);
  const cut = keysOf(secret)
    .filter(({ form }) => !form.decode.startsWith('sha256'))
    .flatMap(({ form, bytes: key }) =>
      lengths
        .filter((length) => length < key.length)
        .map((length) => ({
          key: key.subarray(0, length),
          words: `the first ${length} ${form.decode === 'text' ? 'characters' : 'bytes'} of the secret`,
        })),
    );
  return [
    { key: secret.toLowerCase(), words: 'the secret in lower case' },
    { key: secret.toUpperCase(), words: 'the secret in upper case' },
    { key: JSON.stringify(secret), words: 'the secret in quotes' },
    { key: `${secret}\n`, words: 'the secret and a line break' },
    { key: bytes.toString('base64'), words: 'the base64 of the secret' },
    { key: bytes.toString('hex'), words: 'the secret in hexadecimal' },
    { key: encodeURIComponent(secret), words: 'the secret percent-encoded' },
    { key: [...secret].reverse().join(''), words: 'the secret reversed' },
    { key: createHash('md5').update(secret).digest('hex'), words: 'the MD5 of the secret' },
    { key: createHash('sha1').update(secret).digest('hex'), words: 'the SHA-1 of the secret' },
    { key: shownSecret(secret), words: 'the secret as it is shown' },
    ...cut,
  ].filter(({ key }) => key !== secret);
}

/** All keys that a server may use by mistake. `mistakenSecrets`: further texts, by what they are ("the webhook's id"). */
export const mistakenKeys = (
  { ingredients }: Pick<Scene, 'ingredients'>,
  secret: string,
  mistakenSecrets: Readonly<Record<string, string>>,
): MistakenKey[] => [
  ...defaults.map((text) => ({ key: text, words: `the key "${text}"` })),
  ...Object.entries(mistakenSecrets).map(([words, key]) => ({ key, words })),
  ...ingredients.ids.map(({ text }) => ({ key: text, words: 'an id of the delivery' })),
  ...ingredients.urls.map(({ text }) => ({ key: text, words: 'the URL of the webhook' })),
  ...damaged(secret),
];
