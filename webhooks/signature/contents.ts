import { createHash } from 'node:crypto';
import { parentOf } from '../../common/json.ts';
import { snakeCase } from '../../common/words.ts';
import { bounds, type Delivery, headerValues } from './delivery.ts';
import type { Part } from './scheme.ts';
import { unitOfTime } from './times.ts';
import { macBytes, type Placed, queryOf, type Token } from './tokens.ts';

/** A text that may be signed. Several places may hold the same text; another delivery tells them apart. */
export interface Ingredient {
  readonly text: string | Buffer;
  readonly parts: readonly Part[];
}

/** What may be signed beside the body, by its kind, the likeliest first. A content holds at most one of each kind. */
export type Ingredients = Readonly<
  Record<'times' | 'ids' | 'names' | 'words' | 'urls' | 'methods', readonly Ingredient[]>
>;

/** A content to try: ingredients in their order, joined. */
export interface Content {
  readonly pieces: readonly Ingredient[];
  readonly joiner: string;
}

export const joiners = ['.', ':', '', '\n', ',', '|'];

/** All contents of so many ingredients of different kinds, with `body` at each place among them, if it is given. */
export function* contentsOf(
  from: Readonly<Record<string, readonly Ingredient[]>>,
  sizes: readonly number[],
  body: Ingredient | undefined,
  between: readonly string[],
): Generator<Content> {
  for (const chosen of sizes.flatMap((size) => arrangements(Object.values(from), size))) {
    const last = chosen.length;
    const orders =
      body === undefined ? [chosen] : [...chosen, body].map((_, at) => chosen.toSpliced(last - at, 0, body));
    for (const pieces of orders) {
      for (const joiner of pieces.length === 1 ? [''] : between) {
        yield { pieces, joiner };
      }
    }
  }
}

/** Every ordered choice of `size` ingredients, each of another kind. */
function arrangements(kinds: readonly (readonly Ingredient[])[], size: number): (readonly Ingredient[])[] {
  return size === 0
    ? [[]]
    : kinds.flatMap((kind, index) =>
        kind.flatMap((first) => arrangements(kinds.toSpliced(index, 1), size - 1).map((rest) => [first, ...rest])),
      );
}

/** A content's bytes. */
export const bytesOf = ({ pieces, joiner }: Content): Buffer =>
  Buffer.concat(pieces.flatMap(({ text }, index) => [Buffer.from(index === 0 ? '' : joiner), Buffer.from(text)]));

/** The body as it was sent, and its SHA-256. */
export const bodyAs = (body: Buffer, hash?: 'hex' | 'base64'): Ingredient =>
  hash === undefined
    ? { text: body, parts: [{ from: 'body' }] }
    : { text: createHash('sha256').update(body).digest(hash), parts: [{ from: 'body', hash }] };

/**
 * Those that are tried where there are many contents. URL and method come first: else the bound is reached before
 * contents of both, as Contentful's.
 */
export const likeliest = ({ times, ids, names, words, ...rest }: Ingredients, most = 1) => ({
  ...rest,
  times: times.slice(0, most),
  ids: ids.slice(0, Math.max(2, most)),
  names: names.slice(0, most),
  words: words.slice(0, most),
});

/** Headers of HTTP or of a proxy, which no sender signs by themselves. */
const general =
  /^(host|connection|content-(type|length|encoding)|accept.*|user-agent|cookie|transfer-encoding|traceparent|via|forwarded|x-forwarded-.*)$/i;

/** How many of each kind are tried. */
const most = 6;

/** What a delivery holds that may be signed beside its body. */
export function gatherIngredients(
  delivery: Delivery,
  tokens: readonly Token[],
  leaves: readonly Placed[],
): Ingredients {
  const macs = tokens.filter(({ bytes }) => bytes.length === macBytes);
  const found = [...headerTexts(delivery), ...queryOf(delivery.url), ...fieldTexts(tokens, leaves)].filter(
    (one) =>
      (one.text.length <= 256 || one.place.from === 'field') &&
      // A nonce may have the size of a signature.
      (isIdNamed(one) || !macs.some((token) => one.text.includes(token.text))),
  );
  const isTime = ({ text }: Placed): boolean => unitOfTime(text) !== undefined;
  const times = found.filter(isTime).sort(lastIf(({ place }) => /^date$/i.test(place.name)));
  const others = found.filter((one) => !isTime(one)).sort(lastIf(({ place }) => place.from === 'field'));
  return {
    times: grouped(times).slice(0, most),
    ids: [...signedHeaders(delivery), ...grouped(others.filter(isIdNamed))].slice(0, most),
    // Symfony signs the name of the event, its id and the body.
    names: grouped(others.filter((one) => !isIdNamed(one))).slice(0, most),
    words: wordsOf(delivery, tokens)
      .slice(0, 3)
      .map((text) => ({ text, parts: [{ from: 'text', text }] })),
    urls: urlsOf(delivery),
    methods: [{ text: delivery.method, parts: [{ from: 'method' }] }],
  };
}

const lastIf =
  (isLast: (one: Placed) => boolean) =>
  (one: Placed, other: Placed): number =>
    Number(isLast(one)) - Number(isLast(other));

const isIdNamed = ({ place }: Placed): boolean => /(^|[-_/])(id|nonce|token|delivery)$/i.test(snakeCase(place.name));

const grouped = (all: readonly Placed[]): Ingredient[] =>
  [...Map.groupBy(all, ({ text }) => text)].map(([text, group]) => ({ text, parts: group.map(({ place }) => place) }));

/** Headers' whole values, and the entries of those that have several: `t=17`, a first one or a time without a name. */
const headerTexts = ({ headers }: Delivery): Placed[] =>
  headers.slice(0, bounds.headers).flatMap(([name, value]): Placed[] => {
    if (general.test(name) || value === '') {
      return [];
    }
    const text = value.slice(0, bounds.headerLength);
    const isOne = unitOfTime(text) !== undefined;
    const entries = isOne ? [] : [...text.matchAll(/(^|[\s,;&])([A-Za-z][\w-]{0,30}=)?"?([^\s,;&"]+)/g)].slice(0, 12);
    const labelled = entries.flatMap(({ 1: before = '', 2: label, 3: entry = '', index }, at): Placed[] =>
      label === undefined && (entries.length === 1 || (at > 0 && unitOfTime(entry) === undefined))
        ? []
        : [{ text: entry, place: { from: 'header', name, label: label ?? text.slice(0, index + before.length) } }],
    );
    return [{ text, place: { from: 'header', name } }, ...labelled];
  });

/** The fields beside a signature in the body, as Mailgun has them, else its outer ids and times, as Ecwid signs them. */
function fieldTexts(tokens: readonly Token[], leaves: readonly Placed[]): Placed[] {
  const objects = new Set(tokens.flatMap(({ place }) => (place.from === 'field' ? [parentOf(place.name)] : [])));
  const beside = leaves.filter(({ place }) => objects.has(parentOf(place.name)));
  const outer = leaves.filter((one) => parentOf(one.place.name) === '' && (isIdNamed(one) || unitOfTime(one.text)));
  return (beside.length > 0 ? beside : outer).slice(0, 12);
}

/** The headers that another one lists, as Contentful signs them. */
const signedHeaders = (delivery: Delivery): Ingredient[] =>
  delivery.headers.slice(0, bounds.headers).flatMap(([name, value]): Ingredient[] => {
    const names = /signed-?headers$/i.test(name) ? value.slice(0, bounds.headerLength).split(',') : [];
    const lines = names.map((one) => [one, headerValues(delivery, one)[0]] as const);
    return lines.length === 0 || lines.some(([, text]) => text === undefined)
      ? []
      : [{ text: lines.map(([one, text]) => `${one}:${text}`).join(';'), parts: [{ from: 'signed-headers', name }] }];
  });

/** Versions before signatures (`v1` in `v1=`), and words that services put before the body. */
function wordsOf({ headers }: Delivery, tokens: readonly Token[]): string[] {
  const shown = headers.flatMap(([, value]) => {
    const before = tokens.flatMap(({ text }) => (value.includes(text) ? [value.slice(0, value.indexOf(text))] : []))[0];
    return /([A-Za-z0-9-]{1,12})[=,: ]$/.exec(before ?? '')?.[1] ?? [];
  });
  return [...new Set([...shown, 'v0', 'v1', 'hmacsha256='])];
}

const urlsOf = ({ url, registeredUrl }: Delivery): Ingredient[] =>
  [
    { text: registeredUrl, parts: [{ from: 'url' as const }] },
    { text: url, parts: [{ from: 'target' as const }] },
  ].filter(({ text }) => text !== '');
