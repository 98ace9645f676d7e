import { mismatch } from '../verify/verify.mjs';
import {
  type BodyPiece,
  type Budget,
  bodyPieces,
  bytesOf,
  type Content,
  contentsOf,
  hmacUnder,
  usualJoiners,
} from './contents.ts';
import { type Delivery, headerValues } from './delivery.ts';
import { enveloped } from './envelopes.ts';
import { gatherIngredients, type Ingredients } from './ingredients.ts';
import { keysOf } from './keys.ts';
import { type OtherText, otherTexts } from './other-texts.ts';
import type { KeyForm, Part, Scheme, SignaturePlace } from './scheme.ts';
import { readTime } from './times.ts';
import { findTokens, leavesOf, macBytes, parseBody, type Token } from './tokens.ts';

/** A delivery with everything that was read from it. It is read once, however often it is searched. */
export interface Scene {
  readonly delivery: Delivery;
  readonly json: unknown;
  readonly tokens: readonly Token[];
  readonly ingredients: Ingredients;
}

export function layOut(delivery: Delivery): Scene {
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

/**
 * The schemes that explain a token of a delivery. Tries usual contents over the body, then the mistakes of senders (the
 * body left out, or another text in its place), then unusual contents. Ends with the first content that fits.
 */
export function search(scene: Scene, secret: string, budget: Budget): Candidate[] {
  const { delivery, json, ingredients } = scene;
  const few = likeliest(ingredients);
  const alone = { ...few, urls: [], methods: [] };
  const [raw, ...hashes] = bodyPieces(delivery.body);
  const nothing: BodyPiece = { bytes: Buffer.alloc(0), part: { from: 'text', text: '' } };
  const keys = keysOf(secret);
  // A key that is decoded or hashed in an unusual way is tried with usual contents only.
  const usual = keys.slice(0, 4);
  const tried = (contents: Iterable<Content>, under = usual): Candidate[] =>
    tryContents(scene, under, budget, contents);
  const steps: readonly (() => Candidate[])[] = [
    () => enveloped(delivery, json, secret).map((scheme) => ({ scheme })),
    () => tried(contentsOf(ingredients, [0, 1], raw), keys),
    () => tried(contentsOf(few, [2], raw)),
    () => tried(contentsOf(few, [1, 2], undefined)),
    () => tried(contentsOf(alone, [1, 2], nothing, usualJoiners)),
    ...distinctTexts(delivery.body, json).map((other) => () => {
      const piece: BodyPiece = { bytes: other.text, part: { from: 'body' } };
      return tried(contentsOf(alone, [0, 1, 2], piece, usualJoiners)).map((one) => ({ ...one, other }));
    }),
    ...hashes.map((piece) => () => tried(contentsOf(few, [0, 1, 2], piece, usualJoiners))),
    () => tried(contentsOf(ingredients, [2], raw)),
    () => tried(contentsOf({ ...few, ids: few.ids.slice(0, 1) }, [3], raw, ['', '\n', '.', ':'])),
  ];
  for (const step of steps) {
    const found = step();
    if (found.length > 0) {
      return found;
    }
  }
  return [];
}

/** For contents of which there are many, and for the mistakes of senders. */
const likeliest = ({ times, ids, words, urls, methods }: Ingredients): Ingredients => ({
  ...{ times: times.slice(0, 1), ids: ids.slice(0, 2), words: words.slice(0, 1), urls: urls.slice(0, 2), methods },
});

function distinctTexts(body: Buffer, json: unknown): OtherText[] {
  const byText = Map.groupBy(otherTexts(body, json), ({ text }) => text.toString('latin1'));
  byText.delete(body.toString('latin1'));
  return [...byText.values()].flatMap((group) => group.slice(0, 1));
}

function tryContents(
  { tokens, delivery }: Scene,
  keys: ReturnType<typeof keysOf>,
  budget: Budget,
  contents: Iterable<Content>,
): Candidate[] {
  const sized = tokens.filter(({ bytes }) => bytes.length === macBytes);
  const wanted = Map.groupBy(sized, ({ bytes }) => bytes.toString('latin1'));
  const hmacs = keys.map(({ form, bytes }) => ({ form, hmac: hmacUnder(bytes) }));
  for (const content of wanted.size === 0 ? [] : contents) {
    if (budget.spent) {
      break;
    }
    const bytes = bytesOf(content);
    budget.spend(bytes.length, keys.length);
    for (const { form, hmac } of hmacs) {
      const signing = wanted.get(hmac(bytes).toString('latin1'));
      if (signing !== undefined) {
        return signing.flatMap((token) => schemesOf(delivery, token, content, form));
      }
    }
  }
  return [];
}

/** The schemes that a content stands for: one for each choice of places, where several hold the same text. */
function schemesOf(delivery: Delivery, token: Token, content: Content, key: KeyForm): Candidate[] {
  let choices: Part[][] = [[]];
  for (const parts of content.parts) {
    choices = choices.flatMap((chosen) => parts.slice(0, 4).map((part) => [...chosen, part])).slice(0, 16);
  }
  const at = content.pieces.findIndex((piece) => typeof piece === 'string' && readTime(piece) !== undefined);
  const piece = content.pieces[at];
  const text = typeof piece === 'string' ? piece : '';
  const unit = readTime(text)?.unit;
  return choices.map((parts) => {
    const place = parts[at];
    const isPlace = place?.from === 'header' || place?.from === 'field';
    return {
      scheme: {
        kind: 'parts',
        signature: signatureAt(delivery, token, text),
        parts,
        joiner: content.joiner,
        encoding: token.encoding,
        key,
        ...(isPlace && unit !== undefined ? { time: { ...place, unit } } : {}),
      },
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
