import { createHash, createHmac } from 'node:crypto';
import { parseJson } from '../../common/json.ts';
import { mismatch } from '../verify/verify.mjs';
import {
  bodyAs,
  bytesOf,
  type Content,
  contentsOf,
  gatherIngredients,
  type Ingredient,
  type Ingredients,
  joiners,
  likeliest,
} from './contents.ts';
import { bounds, type Delivery, headerValues } from './delivery.ts';
import { keysOf } from './keys.ts';
import { type OtherText, otherTexts } from './other-texts.ts';
import type { KeyForm, Part, Scheme, SignaturePlace } from './scheme.ts';
import { unitOfTime } from './times.ts';
import { compactJws, findTokens, leavesOf, macBytes, type Placed, parseBody, type Token, textsOf } from './tokens.ts';

/** A delivery with everything that was read from it. It is read once, however often it is searched. */
export type Scene = Readonly<ReturnType<typeof layOut>>;

export function layOut(delivery: Delivery) {
  const json = parseBody(delivery);
  const leaves = leavesOf(json);
  const tokens = findTokens(delivery, leaves);
  return { delivery, json, tokens, ingredients: gatherIngredients(delivery, tokens, leaves) };
}

/** A scheme that explains a token of a delivery. */
export interface Candidate {
  readonly scheme: Scheme;
  /** What is signed in place of the body as it was sent; undefined if that is signed, or the body is left out. */
  readonly other?: OtherText;
}

/** Whether a delivery verifies by a candidate. */
export function fits({ scheme, other }: Candidate, { delivery, json }: Scene, secret: string): boolean {
  const body = other && otherTexts(delivery.body, json).find(({ words }) => words === other.words)?.text;
  return mismatch(scheme, { ...delivery, body: body ?? delivery.body }, secret) === null;
}

/** Contents to try: so many ingredients with a piece in the body's place, or none. */
interface Attempt {
  readonly body: Ingredient | undefined;
  readonly from: Ingredients;
  readonly sizes: readonly number[];
  readonly between?: readonly string[];
  readonly other?: OtherText;
}

/**
 * The schemes that explain a token of a delivery. Tries usual contents over the body, then the mistakes of senders (the
 * body left out, or another text in its place), then unusual contents. Ends with the first content that fits, or after
 * `most` HMACs.
 */
export function search(scene: Scene, secret: string, most: number): Candidate[] {
  const { delivery, json, ingredients: all, tokens } = scene;
  const sizes = [0, 1, 2];
  const few = likeliest(all);
  const some = likeliest(all, 3);
  const raw = bodyAs(delivery.body);
  const known = new Set([delivery.body.toString('latin1')]);
  const others = otherTexts(delivery.body, json)
    .filter(({ text }) => known.size < known.add(text.toString('latin1')).size)
    .map((other) => ({ body: { ...raw, text: other.text }, other, from: few, between: ['.', ':', ''] }));
  // As Stripe and Standard Webhooks put a time, or an id and a time, before the body.
  const usual = { from: { ...few, names: [], words: [], urls: [], methods: [] }, between: ['.'] };
  const attempts: readonly Attempt[] = [
    // A large body leaves no more.
    { body: raw, ...usual, sizes },
    { body: raw, from: all, sizes: [0, 1] },
    { body: raw, from: few, sizes: [2] },
    { body: undefined, from: all, sizes: [1] },
    { body: undefined, from: some, sizes: [2] },
    { body: { text: '', parts: [{ from: 'text', text: '' }] }, from: few, sizes: [1, 2] },
    ...others.map((one) => ({ ...one, ...usual, sizes: [2] })),
    ...others.map((one) => ({ ...one, sizes: [0, 1] })),
    ...(['hex', 'base64'] as const).map((hash) => ({ body: bodyAs(delivery.body, hash), from: few, sizes })),
    { body: raw, from: some, sizes: [2] },
    { body: raw, from: few, sizes: [3] },
  ];
  const wanted = Map.groupBy(
    tokens.filter(({ bytes }) => bytes.length === macBytes),
    ({ bytes }) => bytes.toString('latin1'),
  );
  const found = enveloped(delivery, json, secret).map((scheme) => ({ scheme }));
  // A token that only says who calls may stand beside a signature of the body.
  const isToken = ({ scheme }: Candidate): boolean =>
    scheme.kind === 'jws' && scheme.claim === undefined && scheme.signature.from !== 'field';
  if (found.some((one) => !isToken(one)) || wanted.size === 0) {
    return found;
  }
  const keys = keysOf(secret);
  let hmacs = 0;
  let hashed = 0;
  for (const { body, from, sizes: counts, between = joiners, other } of attempts) {
    for (const content of contentsOf(from, counts, body, between)) {
      if (hmacs >= most || hashed >= bounds.hashedBytes) {
        return found;
      }
      const bytes = bytesOf(content);
      hmacs += keys.length;
      hashed += bytes.length * keys.length;
      for (const { form, key } of keys) {
        const signing = wanted.get(createHmac('sha256', key).update(bytes).digest('binary'));
        if (signing !== undefined) {
          const schemes = signing.flatMap((token) => schemesOf(delivery, token, content, form));
          return schemes.map((scheme) => ({ scheme, ...(other === undefined ? {} : { other }) }));
        }
      }
    }
  }
  return found;
}

/** The schemes that a content stands for: one for each choice of places, where several hold the same text. */
function schemesOf(delivery: Delivery, token: Token, { pieces, joiner }: Content, key: KeyForm): Scheme[] {
  let choices: Part[][] = [[]];
  for (const { parts } of pieces) {
    choices = choices.flatMap((chosen) => parts.slice(0, 4).map((part) => [...chosen, part])).slice(0, 16);
  }
  const texts = pieces.map(({ text }) => (typeof text === 'string' ? text : ''));
  const at = texts.findIndex((text) => unitOfTime(text) !== undefined);
  const time = texts[at] ?? '';
  const unit = unitOfTime(time);
  return choices.map((parts) => {
    const place = parts[at];
    const isPlace = place?.from === 'header' || place?.from === 'field' || place?.from === 'query';
    return {
      kind: 'parts',
      signature: signatureAt(delivery, token, time),
      parts,
      joiner,
      encoding: token.encoding,
      key,
      ...(isPlace && unit !== undefined ? { time: { ...place, unit } } : {}),
    };
  });
}

/** The place of a token, with the header's value as a template. Entries with other signatures are left out. */
function signatureAt(delivery: Delivery, { place, text }: Token, time: string): SignaturePlace {
  if (place.from !== 'header') {
    return { ...place, template: '{signature}' };
  }
  const value = headerValues(delivery, place.name).find((one) => one.includes(text)) ?? text;
  const filled = (time === '' ? value : value.replace(time, '{time}')).replace(text, '{signature}');
  const list = /^v\d+[a-z]?,/.test(filled) ? ' ' : (/[;,&](?!$)/.exec(filled)?.[0] ?? ' ');
  const entries = filled.split(list);
  const own = entries.filter((entry) => /\{(signature|time)\}/.test(entry) || !/[A-Za-z0-9+/_-]{43}/.test(entry));
  const isList = own.length < entries.length && (list === ',' || list === ' ' || list === ';');
  return { ...place, template: own.join(list), ...(isList ? { list } : {}) };
}

/** Signatures of RFC 7515 and RFC 9421, which say themselves what they cover. */
function enveloped(delivery: Delivery, json: unknown, secret: string): Scheme[] {
  const schemes = [...textsOf(delivery, leavesOf(json)).flatMap(jwsSchemes(delivery)), ...messageSchemes(delivery)];
  return keysOf(secret).flatMap(({ form }) =>
    schemes
      .map((scheme): Scheme => ({ ...scheme, key: form }))
      .filter((scheme) => mismatch(scheme, delivery, secret) === null),
  );
}

const anyKey: KeyForm = { strip: '', decode: 'text' };

/** Claims that say nothing of a body. A JWS with others may hold the payload itself. */
const registeredClaim = /^\/(iss|sub|aud|exp|nbf|iat|jti)(\/|$)/;

const jwsSchemes =
  ({ body }: Delivery) =>
  ({ place, text }: Placed): Scheme[] => {
    const [, , encoded = ''] = compactJws.exec(text.slice(0, 16_384)) ?? [];
    if (encoded === '') {
      return [];
    }
    const claims = leavesOf(parseJson(Buffer.from(encoded, 'base64url').toString('utf8')));
    const signature = { ...place, template: text.replace(compactJws, '{signature}') };
    const hashed = (['hex', 'base64', 'base64url'] as const).flatMap((encoding) => {
      const hash = unpadded(createHash('sha256').update(body).digest(encoding));
      return claims.flatMap((one) => (unpadded(one.text) === hash ? [{ claim: one.place.name, encoding }] : []));
    });
    const others = claims.filter((one) => !registeredClaim.test(one.place.name));
    const size = others.reduce((sum, { place, text }) => sum + place.name.length + text.length, 0);
    const areShort = others.every(({ text }) => text.length < macBytes) && size * 2 <= body.length;
    // In a header, claims that say nothing of the body, such as ids; in the body, the payload.
    const isWhole = place.from === 'field' || areShort;
    return [...hashed, ...(isWhole ? [{}] : [])].map((claim) => ({ kind: 'jws', signature, ...claim, key: anyKey }));
  };

/** QStash pads URL-safe base64, and others do not. */
const unpadded = (text: string): string => text.replace(/=+$/, '');

const messageSchemes = (delivery: Delivery): Scheme[] => {
  const inputs = headerValues(delivery, 'signature-input').join(', ');
  return [...inputs.matchAll(/(?:^|, *)([a-z*][\w.*-]*)=\(([^)]{0,1000})\)/g)].map(
    ([, label = '', components = '']) => ({
      kind: 'rfc9421',
      signature: { from: 'header', name: 'Signature', template: `${label}=:{signature}:` },
      label,
      digest: components.includes('"content-digest"'),
      key: anyKey,
    }),
  );
};
