import type { Delivery } from '../delivery.ts';
import type { Part, Source } from '../scheme.ts';
import { queryOf } from '../source.ts';
import { addressesOf, distinctUrls } from './addresses.ts';
import { bounds } from './bounds.ts';
import { fieldsOf } from './header-values.ts';
import { distinctTexts, type Ingredient, literal, valueAt } from './ingredient.ts';
import type { Leaf } from './leaves.ts';
import { type TimeUnit, writeTime } from './times.ts';
import { digestsIn, findTimestamps, type SeenTimestamp } from './timestamps.ts';
import type { Token } from './tokens.ts';
import { labelsOf, wordsOf } from './words.ts';

/** What contents may be made of besides the body: likeliest first, each text once. */
export interface Ingredients {
  /** Timestamps as they were sent. */
  readonly timestamps: readonly Ingredient[];
  /** The same times in other units. */
  readonly respelled: readonly Ingredient[];
  readonly ids: readonly Ingredient[];
  /** The ids, and all other values in headers, in the query and at the top of the body. */
  readonly values: readonly Ingredient[];
  readonly method: Ingredient;
  readonly lowerMethod: Ingredient;
  readonly urls: readonly Ingredient[];
  readonly addresses: readonly (readonly Ingredient[])[];
  readonly labels: readonly Ingredient[];
  readonly words: readonly Ingredient[];
  /** All places of each text. */
  readonly aliases: ReadonlyMap<string, readonly Part[]>;
  readonly seenTimestamps: readonly SeenTimestamp[];
}

export function gatherIngredients(delivery: Delivery, tokens: readonly Token[], leaves: readonly Leaf[]): Ingredients {
  const seenTimestamps = findTimestamps(delivery, tokens, leaves);
  const times = seenTimestamps.map(({ source, text }) => valueAt('timestamp', source, text));
  const timeTexts = new Set(times.map(({ text }) => text));
  const values = valuesOf(delivery, tokens, leaves).filter(({ text }) => !timeTexts.has(text));
  const ids = values.filter(({ part }) => part.kind === 'value' && part.role === 'id');
  return {
    timestamps: distinctTexts(times, bounds.timestamps),
    respelled: respell(seenTimestamps.slice(0, 3), timeTexts),
    ids: distinctTexts(ids, bounds.values),
    values: distinctTexts(values, 2 * bounds.values),
    method: { part: { kind: 'method' }, text: delivery.method },
    lowerMethod: { part: { kind: 'method', lower: true }, text: delivery.method.toLowerCase() },
    urls: distinctUrls(['registered', 'normalised', 'without-query', 'as-called'], delivery),
    addresses: addressesOf(delivery),
    labels: labelsOf(tokens).map(literal),
    words: wordsOf(delivery, tokens).map(literal),
    aliases: aliasesOf([...times, ...values]),
    seenTimestamps,
  };
}

/**
 * The places of each text. A place in the body is left out if a header has the text too: receivers read headers before
 * they parse.
 */
function aliasesOf(all: readonly Ingredient[]): Map<string, Part[]> {
  const aliases = new Map<string, Part[]>();
  const inBody = (part: Part | undefined): boolean => part?.kind === 'value' && part.source.in === 'body';
  for (const { part, text } of all) {
    const known = aliases.get(text) ?? [];
    const again = known.some((one) => JSON.stringify(one) === JSON.stringify(part));
    if (!again && !(inBody(part) && known.some((one) => !inBody(one)))) {
      aliases.set(text, [...known, part]);
    }
  }
  return aliases;
}

const spellings: readonly TimeUnit[] = ['s', 'ms', 'iso-8601'];

function respell(seen: readonly SeenTimestamp[], sent: ReadonlySet<string>): Ingredient[] {
  const all = seen.flatMap(({ source, at }) =>
    spellings.map((as) => valueAt('timestamp', source, writeTime(at, as), as)),
  );
  return distinctTexts(
    all.filter(({ text }) => !sent.has(text)),
    6,
  );
}

const idName = /id\b|id$|nonce|delivery|event|message|request|key|salt|uuid|seq|number|count|attempt|version/i;
const preferred = /webhook|delivery|event|message|nonce|seq/i;
const general =
  /^(host|user-agent|accept.*|connection|keep-alive|content-(length|encoding|type)|transfer-encoding|trace(parent|state)|via|forwarded|x-forwarded-.*|x-real-ip|te|expect|cache-control|pragma|date|cookie)$/i;

/** Whether a header is one that every request has, whoever sends it. */
export const isGeneral = (header: string): boolean => general.test(header);

/**
 * All values. Those whose name says that they change with each delivery come first, then the fields beside a token in
 * its header, then other headers; the headers that every request has come last.
 */
function valuesOf(delivery: Delivery, tokens: readonly Token[], leaves: readonly Leaf[]): Ingredient[] {
  const carriers = new Set(tokens.flatMap(({ source }) => (source.in === 'header' ? [source.name.toLowerCase()] : [])));
  const headers = delivery.headers.slice(0, bounds.headers);
  const whole = headers
    .filter(([name, text]) => !carriers.has(name.toLowerCase()) && text.length > 0 && text.length <= 256)
    .map(([name, text]) => named(name, { in: 'header', name, label: null }, text));
  const fields = headers
    .filter(([name]) => carriers.has(name.toLowerCase()))
    .flatMap(([name, value]) =>
      fieldsOf(value, digestsIn(name, value, tokens))
        .filter(({ label }) => label !== '')
        .map(({ label, text }) => ({ ...valueAt('id', { in: 'header', name, label }, text), rank: fieldRank })),
    );
  const query = queryOf(delivery.url)
    .filter(([, text]) => text.length > 0 && text.length <= 256)
    .map(([name, text]) => named(name, { in: 'query', name }, text));
  const tokenTexts = new Set(tokens.map(({ text }) => text));
  return [...[...whole, ...query, ...fields].sort((a, b) => a.rank - b.rank), ...valuesInBody(leaves)].filter(
    ({ text }) => !tokenTexts.has(text),
  );
}

/** After headers and parameters that are called an id, before all others. */
const fieldRank = 1.5;

function named(name: string, source: Source, text: string): Ingredient & { readonly rank: number } {
  const isId = idName.test(name) && !isGeneral(name);
  return { ...valueAt(isId ? 'id' : 'field', source, text), rank: rankOf(name, isId) };
}

function rankOf(name: string, isId: boolean): number {
  if (isId) {
    return preferred.test(name) ? 0 : 1;
  }
  return isGeneral(name) ? 3 : 2;
}

const bodyName =
  /^(\/[^/]*)?\/_?(id|uuid|nonce|seq(uence)?([_-]?(number|no|id))?|(event|delivery|message|webhook)[_-]?id|type|event|event[_-]?type)$/i;

/**
 * The names of the event or the delivery near the top of the body. Some services sign them, or even sign them instead
 * of the payload.
 */
const valuesInBody = (leaves: readonly Leaf[]): Ingredient[] =>
  leaves
    .filter(({ pointer, text }) => bodyName.test(pointer) && text.length <= 256)
    .slice(0, 4)
    .map(({ pointer, text }) => valueAt('id', { in: 'body', pointer }, text));
