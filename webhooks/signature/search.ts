import { at } from '../../common/json.ts';
import { mismatch } from '../verify/verify.mjs';
import {
  type BodyPiece,
  type Budget,
  bodyPieces,
  bytesOf,
  type Content,
  contentsOf,
  hmacUnder,
  manifests,
  usualJoiners,
} from './contents.ts';
import { type Delivery, headerValues } from './delivery.ts';
import { enveloped } from './envelopes.ts';
import { gatherIngredients, type Ingredients } from './ingredients.ts';
import { type Key, keysOf } from './keys.ts';
import { leavesOf, parseBody } from './leaves.ts';
import { type OtherText, otherTexts } from './other-texts.ts';
import type { KeyForm, Part, Scheme, SignaturePlace } from './scheme.ts';
import { readTime } from './times.ts';
import { findTokens, macBytes, type Token } from './tokens.ts';

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
export function fits({ scheme, other }: Candidate, scene: Scene, secret: string): boolean {
  const { delivery } = scene;
  const body =
    other === undefined
      ? delivery.body
      : otherTexts(delivery.body, scene.json).find(({ words }) => words === other.words)?.text;
  return mismatch(scheme, { ...delivery, body: body ?? delivery.body }, secret) === null;
}

/** Once a token is explained, so many HMACs are computed to find a second signature in the same delivery. */
const afterwards = 2_000;

/**
 * The schemes that explain tokens of a delivery. Tries usual contents over the body, then the mistakes of senders, then,
 * as a last resort, unusual contents. Ends with the first step that explains any.
 */
export function search(scene: Scene, secret: string, budget: Budget, lastResort: boolean): Candidate[] {
  const { delivery, json, ingredients } = scene;
  const few = likeliest(ingredients);
  const [raw, ...hashes] = bodyPieces(delivery.body);
  const dataId = at(json, '/data/id');
  const keys = keysOf(secret);
  // A key that is decoded or hashed in an unusual way is tried with usual contents only.
  const usualKeys = keys.slice(0, 4);
  const tried = (contents: Iterable<Content>, under = usualKeys): Candidate[] =>
    tryContents(scene, under, budget, contents);
  const steps: readonly (() => Candidate[])[] = [
    () => enveloped(delivery, json, secret).map((scheme) => ({ scheme })),
    () => tried(overPieces(ingredients, [0, 1], [raw]), keys),
    () => tried(overPieces(ingredients, [2], [raw])),
    () => tried(overPieces(few, [3], [raw])),
    () => tried(overPieces(few, [0, 1, 2], hashes)),
    () =>
      distinctTexts(delivery.body, json).flatMap((other) => {
        const piece: BodyPiece = { bytes: other.text, part: { from: 'body' } };
        const { times, ids, words } = few;
        const timed = { times, ids: ids.slice(0, 2), words: words.slice(0, 1), urls: [], methods: [] };
        return tried(overPieces(timed, [0, 1, 2], [piece], usualJoiners)).map((one) => ({ ...one, other }));
      }),
    () => tried(bodiless(ingredients, few, typeof dataId === 'string' ? dataId : undefined)),
    ...(lastResort ? [() => tried(overPieces(few, [3], hashes))] : []),
  ];
  for (const step of steps) {
    const found = step();
    if (found.length > 0) {
      return found;
    }
  }
  return [];
}

/** For contents of which there are many, and for texts that few senders sign. */
const likeliest = ({ times, ids, words, urls, methods }: Ingredients): Ingredients => ({
  times: times.slice(0, 2),
  ids: ids.slice(0, 3),
  words: words.slice(0, 2),
  urls: urls.slice(0, 2),
  methods,
});

function* overPieces(
  from: Ingredients,
  sizes: readonly number[],
  pieces: readonly BodyPiece[],
  joiners?: readonly string[],
): Generator<Content> {
  for (const size of sizes) {
    for (const piece of pieces) {
      yield* contentsOf(from, size, piece, joiners);
    }
  }
}

/** Contents without the body, or with nothing in its place. */
function* bodiless(all: Ingredients, few: Ingredients, dataId: string | undefined): Generator<Content> {
  const nothing: BodyPiece = { bytes: Buffer.alloc(0), part: { from: 'text', text: '' } };
  yield* manifests(few, dataId);
  for (const size of [1, 2]) {
    yield* contentsOf(all, size, undefined);
    yield* contentsOf(few, size, nothing);
  }
  yield* contentsOf(few, 3, undefined);
}

function distinctTexts(body: Buffer, json: unknown): OtherText[] {
  const byText = Map.groupBy(otherTexts(body, json), ({ text }) => text.toString('latin1'));
  byText.delete(body.toString('latin1'));
  return [...byText.values()].flatMap((group) => group.slice(0, 1));
}

function tryContents(scene: Scene, under: readonly Key[], budget: Budget, contents: Iterable<Content>): Candidate[] {
  const wanted = Map.groupBy(
    scene.tokens.filter(({ bytes }) => bytes.length === macBytes),
    ({ bytes }) => bytes.toString('hex'),
  );
  const keys = under.map(({ form, bytes }) => ({ form, hmac: hmacUnder(bytes) }));
  const found: Candidate[] = [];
  let end = Number.POSITIVE_INFINITY;
  for (const content of wanted.size === 0 ? [] : contents) {
    const bytes = bytesOf(content);
    budget.spend(bytes.length, keys.length);
    for (const { form, hmac } of keys) {
      const mac = hmac(bytes).toString('hex');
      const tokens = wanted.get(mac);
      if (tokens !== undefined) {
        wanted.delete(mac);
        found.push(...tokens.flatMap((token) => schemesOf(scene.delivery, token, content, form)));
        end = Math.min(end, budget.hmacs + afterwards);
      }
    }
    if (wanted.size === 0 || budget.spent || budget.hmacs > end) {
      break;
    }
  }
  return found;
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
  return choices.map((parts) => {
    const place = parts[at];
    const unit = readTime(text)?.unit;
    const isPlace = place?.from === 'header' || place?.from === 'query' || place?.from === 'field';
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
