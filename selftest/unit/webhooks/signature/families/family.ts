import { createHash } from 'node:crypto';
import type { Delivery } from '../../../../../webhooks/signature/delivery.ts';
import { deliver, hmac, plain, type Sender, type Sending, sendingOf, whsec } from '../deliveries.ts';

/** A way in which real services sign the payload, and the expected result of discovery. */
export interface Family {
  readonly name: string;
  readonly secret: string;
  readonly sender: Sender;
  readonly formula: string;
  readonly encoding?: Encoding;
  /** `decode` or `strip|decode`; if not given, the key is the whole secret as text. */
  readonly key?: string;
  readonly template?: string;
  /** The body, if it is not the usual one. */
  readonly body?: (sending: Sending) => string;
}

type Encoding = 'hex' | 'base64' | 'base64url' | 'base64-hex';
type Expected = Partial<Pick<Family, 'secret' | 'formula' | 'key' | 'template'>> & { readonly bytes?: string | Buffer };

/**
 * A family whose content and header lines are templates of the fields of a sending, and of `{http}` (a date),
 * `{sequence}`, `{sha256}` and `{digest}` (of the body, in hex and in base64). In headers `{hex}`, `{HEX}`, `{colons}`,
 * `{base64}` and `{base64url}` are the HMAC of the content, `{sha1}` the one with SHA-1, `{old}` and `{old64}` those
 * with an older secret. `bytes` is the key, if it is not the secret.
 */
export function family(
  name: string,
  content: string,
  headers: readonly string[],
  { secret = plain, bytes = secret, formula = '<body>', ...expected }: Expected = {},
): Family {
  const sender: Sender = (sending) => {
    const parts = partsOf(sending);
    const text = filled(content, parts);
    const hex = hmac(bytes, text);
    const signatures = {
      hex,
      HEX: hex.toUpperCase(),
      colons: hex.match(/../g)?.join(':'),
      base64: b64(bytes, text),
      base64url: hmac(bytes, text, 'base64url'),
      sha1: hmac(bytes, text, 'hex', 'sha1'),
      old: hmac('an older secret', text),
      old64: b64('an older secret', text),
    };
    return Object.fromEntries(headers.map((line) => filled(line, { ...parts, ...signatures }).split(/: (.*)/s, 2)));
  };
  const [, encoding = 'hex'] = /\{(base64url|base64)\}/.exec(headers.join()) ?? [];
  return { name, secret, sender, formula, encoding: encoding as Encoding, ...expected };
}

const filled = (template: string, parts: Readonly<Record<string, unknown>>): string =>
  template.replace(/\{(\w+)\}/g, (_, part: string) => String(parts[part]));

const partsOf = (sending: Sending): Readonly<Record<string, unknown>> => ({
  ...sending,
  http: new Date(sending.at - 2_000).toUTCString(),
  sequence: sending.n + 17,
  sha256: sha256(sending.body),
  digest: sha256(sending.body, 'base64'),
});

/** Three deliveries of a family. */
export const deliveriesOf = ({ sender, body }: Family): Delivery[] =>
  deliver(
    sender,
    [0, 1, 2].map((n) => sendingOf(n, body?.(sendingOf(n)))),
  );

export const sha256 = (text: string, encoding: 'hex' | 'base64' = 'hex'): string =>
  createHash('sha256').update(text).digest(encoding);
export const whsecKey = Buffer.from(whsec.slice(6), 'base64');
const b64 = (key: string | Buffer, text: string): string => hmac(key, text, 'base64');
export const jwt = (claims: object): string => {
  const input = [{ alg: 'HS256', typ: 'JWT' }, claims]
    .map((each) => Buffer.from(JSON.stringify(each)).toString('base64url'))
    .join('.');
  return `${input}.${hmac(plain, input, 'base64url')}`;
};
