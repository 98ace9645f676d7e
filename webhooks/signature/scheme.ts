import { member } from '../../common/json.ts';
import { checkedJson } from '../../common/json-file.ts';
import schema from '../scheme.schema.json' with { type: 'json' };
import type { HeaderLines } from './delivery.ts';

/**
 * A signing scheme as data: all that is needed to verify a delivery (verify/verify.mjs, verify.py), to sign one and to
 * describe the scheme to a receiver's author.
 */
export type Scheme = PartsScheme | JwsScheme | MessageScheme;

interface Common {
  readonly key: KeyForm;
  /** The time of sending, if it is signed. */
  readonly time?: Place & { readonly unit: TimeUnit };
}

/** An HMAC over parts of the delivery, joined. */
export interface PartsScheme extends Common {
  readonly kind: 'parts';
  readonly signature: SignaturePlace;
  readonly parts: readonly Part[];
  readonly joiner: string;
  readonly encoding: Encoding;
}

/** A compact JWS with HS256 (RFC 7515). The claim at the pointer `claim` is the body's SHA-256; without it, none is. */
interface JwsScheme extends Common {
  readonly kind: 'jws';
  readonly signature: SignaturePlace;
  readonly claim?: string;
  /** The encoding of that hash. */
  readonly encoding?: 'hex' | 'base64' | 'base64url';
}

/** RFC 9421 over what Signature-Input names under `label`. `digest`: Content-Digest is among it (RFC 9530). */
interface MessageScheme extends Common {
  readonly kind: 'rfc9421';
  readonly signature: SignaturePlace;
  readonly label: string;
  readonly digest: boolean;
}

/**
 * Where a text of a delivery is. In a header, `label` is the text right before it (`t=` in `t=17,v1=ab`); an empty label
 * means the first entry, and none the whole value. A field's name is a JSON pointer.
 */
export type Place =
  | { readonly from: 'header'; readonly name: string; readonly label?: string }
  | { readonly from: 'query'; readonly name: string }
  | { readonly from: 'field'; readonly name: string };

export type SignaturePlace = Place & {
  /** The header's value, such as `t={time},v1={signature}`. */
  readonly template: string;
  /** What separates several signatures in one value, if several may stand there. */
  readonly list?: ',' | ' ' | ';';
};

export type Part =
  | Place
  | { readonly from: 'text'; readonly text: string }
  /** The body as it was sent, or its SHA-256. */
  | { readonly from: 'body'; readonly hash?: 'hex' | 'base64' }
  /** `url`: as registered; `target`: path and query as called. */
  | { readonly from: 'method' | 'url' | 'target' }
  /** `name:value` of each header that this header lists, joined by semicolons. */
  | { readonly from: 'signed-headers'; readonly name: string };

/** `base64-hex` is the base64 of the hexadecimal text. */
export type Encoding = 'hex' | 'base64' | 'base64url' | 'base64-hex';

export type TimeUnit = 's' | 'ms' | 'iso' | 'http';

/** How a secret becomes a key: what stands behind the prefix `strip`, as text or decoded. */
export interface KeyForm {
  readonly strip: string;
  readonly decode: 'text' | 'base64' | 'hex';
}

const placeWords = { field: 'body field', query: 'query parameter' } as const;

/** A place in words, equal for equal places: `header stripe-signature v1=`. */
export const placeKey = (place: Place): string =>
  place.from === 'header'
    ? `header ${place.name.toLowerCase()} ${place.label ?? ''}`.trim()
    : place.name === ''
      ? 'body itself'
      : `${placeWords[place.from]} ${place.name}`;

/**
 * The scheme in parsed JSON: by itself, or in the field `scheme`, as `npm run signature -- … --json` prints it. Throws
 * WrongAt, which says what is wrong.
 */
export const parseScheme = (json: unknown): Scheme => checkedJson(schema, member(json, 'scheme') ?? json);

// The schemes of known services.

const at = (name: string, label?: string): Place & { readonly from: 'header' } => ({
  from: 'header',
  name,
  ...(label === undefined ? {} : { label }),
});
const body: Part = { from: 'body' };

/** A header's name and template, and what separates several signatures in it. */
const header = (name: string, template: string, list?: SignaturePlace['list']): SignaturePlace => ({
  ...at(name),
  template,
  ...(list === undefined ? {} : { list }),
});

const preset = (
  signature: SignaturePlace,
  parts: readonly Part[],
  joiner: string,
  encoding: Encoding,
  time?: Place & { readonly unit: TimeUnit },
  key: KeyForm = { strip: '', decode: 'text' },
) => ({ kind: 'parts', signature, parts, joiner, encoding, key, ...(time === undefined ? {} : { time }) }) as const;

const standardTime = at('webhook-timestamp');
const stripeTime = at('Stripe-Signature', 't=');
const slackTime = at('X-Slack-Request-Timestamp');
const hubspotTime = at('X-HubSpot-Request-Timestamp');

/** The schemes of known services, by the names under which receivers can be tested for them. */
export const presets = {
  'standard-webhooks': preset(
    header('webhook-signature', 'v1,{signature}', ' '),
    [at('webhook-id'), standardTime, body],
    '.',
    'base64',
    { ...standardTime, unit: 's' },
    { strip: 'whsec_', decode: 'base64' },
  ),
  github: preset(header('X-Hub-Signature-256', 'sha256={signature}'), [body], '', 'hex'),
  stripe: preset(header('Stripe-Signature', 't={time},v1={signature}', ','), [stripeTime, body], '.', 'hex', {
    ...stripeTime,
    unit: 's',
  }),
  slack: preset(
    header('X-Slack-Signature', 'v0={signature}'),
    [{ from: 'text', text: 'v0' }, slackTime, body],
    ':',
    'hex',
    { ...slackTime, unit: 's' },
  ),
  shopify: preset(header('X-Shopify-Hmac-Sha256', '{signature}'), [body], '', 'base64'),
  'hubspot-v3': preset(
    header('X-HubSpot-Signature-v3', '{signature}'),
    [{ from: 'method' }, { from: 'url' }, body, hubspotTime],
    '',
    'base64',
    { ...hubspotTime, unit: 'ms' },
  ),
} satisfies Record<string, Scheme>;

export type PresetName = keyof typeof presets;

/** The headers that a service sends with each delivery besides those of its signature, and libraries of receivers demand. */
export const usualHeaders = (name: string, id: string): HeaderLines =>
  ({
    github: [
      ['X-GitHub-Event', 'ping'],
      ['X-GitHub-Delivery', id],
    ] as const,
    shopify: [
      ['X-Shopify-Topic', 'orders/create'],
      ['X-Shopify-Shop-Domain', 'example.myshopify.com'],
      ['X-Shopify-API-Version', '2026-10'],
      ['X-Shopify-Webhook-Id', id],
    ] as const,
  })[name] ?? [];

export const isPreset = (name: string): name is PresetName => Object.hasOwn(presets, name);
