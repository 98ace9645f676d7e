import { bounds } from './bounds.ts';
import type { Delivery } from './delivery.ts';
import { leavesOf, parseBody } from './leaves.ts';
import type { Part, Source, UrlForm } from './scheme.ts';
import { queryOf } from './source.ts';
import type { SeenTimestamp } from './timestamps.ts';
import { fieldsOf, findTimestamps } from './timestamps.ts';
import type { Token } from './tokens.ts';

/** A part of a signed content with the text that it has in one delivery. */
export interface Ingredient {
  readonly part: Part;
  readonly text: string;
}

/** What contents may be made of besides the body. Equal texts stand once; `aliases` keeps the further names of each. */
export interface Ingredients {
  readonly timestamps: readonly Ingredient[];
  readonly ids: readonly Ingredient[];
  readonly urls: readonly Ingredient[];
  readonly paths: readonly Ingredient[];
  readonly method: Ingredient;
  readonly labels: readonly Ingredient[];
  readonly aliases: ReadonlyMap<string, readonly Part[]>;
  readonly seenTimestamps: readonly SeenTimestamp[];
}

/** Gathers timestamps, ids, URLs, labels and the method of a delivery. */
export function gatherIngredients(delivery: Delivery, tokens: readonly Token[]): Ingredients {
  const seenTimestamps = findTimestamps(delivery);
  const aliases = new Map<string, Part[]>();
  const distinct = (all: readonly Ingredient[], most: number): Ingredient[] => {
    const byText = new Map<string, Ingredient>();
    for (const each of all) {
      const known = aliases.get(each.text);
      if (known === undefined) {
        aliases.set(each.text, [each.part]);
      } else if (!known.some((part) => JSON.stringify(part) === JSON.stringify(each.part))) {
        known.push(each.part);
      }
      if (!byText.has(each.text) && byText.size < most) {
        byText.set(each.text, each);
      }
    }
    return [...byText.values()];
  };
  const timestamps = distinct(
    seenTimestamps.map(({ source, text }) => value('timestamp', source, text)),
    bounds.timestamps,
  );
  const times = new Set(timestamps.map(({ text }) => text));
  const ids = idsOf(delivery, tokens).filter(({ text }) => !times.has(text));
  return {
    timestamps,
    ids: distinct(ids, bounds.ids),
    urls: distinct(
      (['registered', 'normalised', 'without-query'] as const).map((form) => url(form, delivery)),
      3,
    ),
    paths: distinct(
      (['path-query', 'path'] as const).map((form) => url(form, delivery)),
      2,
    ),
    method: { part: { kind: 'method' }, text: delivery.method },
    labels: labelsOf(tokens),
    aliases,
    seenTimestamps,
  };
}

const value = (role: 'timestamp' | 'id', source: Source, text: string): Ingredient => ({
  part: { kind: 'value', role, source },
  text,
});

const idName = /id\b|id$|nonce|delivery|event|message|request|key|salt|uuid/i;

/** Values that renew with each delivery by their name; fields of a header that carries a token come last. */
function idsOf(delivery: Delivery, tokens: readonly Token[]): Ingredient[] {
  const tokenTexts = new Set(tokens.map(({ text }) => text));
  const carriers = new Set(tokens.flatMap(({ source }) => (source.in === 'header' ? [source.name.toLowerCase()] : [])));
  const named: Ingredient[] = [];
  const fields: Ingredient[] = [];
  for (const [name, text] of delivery.headers.slice(0, bounds.headers)) {
    if (carriers.has(name.toLowerCase())) {
      for (const { label, part } of fieldsOf(text.slice(0, bounds.headerLength))) {
        if (!tokenTexts.has(part) && label !== '') {
          fields.push(value('id', { in: 'header', name, label }, part));
        }
      }
    } else if (idName.test(name) && text.length > 0 && text.length <= 256) {
      named.push(value('id', { in: 'header', name, label: null }, text));
    }
  }
  const query = queryOf(delivery.url)
    .filter(([name]) => idName.test(name))
    .map(([name, text]) => value('id', { in: 'query', name }, text));
  const preferred = (one: Ingredient): number =>
    /(webhook|delivery|event|message|nonce)/i.test(JSON.stringify(one.part)) ? 0 : 1;
  return [...named.sort((a, b) => preferred(a) - preferred(b)), ...query, ...fields, ...idsInBody(delivery)];
}

const bodyIdName = /^(\/[^/]*)?\/_?(id|uuid|nonce|(event|delivery|message|webhook)[_-]?id|type|event|event[_-]?type)$/i;

/** What names the event or the delivery near the top of the body: some sign it instead of the payload. */
const idsInBody = (delivery: Delivery): Ingredient[] =>
  leavesOf(parseBody(delivery))
    .filter(({ pointer, text }) => bodyIdName.test(pointer) && text.length > 0 && text.length <= 256)
    .slice(0, 4)
    .map(({ pointer, text }) => value('id', { in: 'body', pointer }, text));

/** Names in front of tokens (`v1=` says `v1`), and the two most used. */
function labelsOf(tokens: readonly Token[]): Ingredient[] {
  const names = tokens.flatMap(({ source }) =>
    source.in === 'header' && source.label ? [source.label.replace(/[^A-Za-z0-9]+$/, '')] : [],
  );
  return [...new Set([...names.filter((name) => /^[A-Za-z0-9-]{1,12}$/.test(name)).slice(0, 4), 'v0', 'v1'])].map(
    (text) => ({ part: { kind: 'literal', text }, text }),
  );
}

function url(form: UrlForm, delivery: Delivery): Ingredient {
  return { part: { kind: 'url', form }, text: urlText(form, delivery) };
}

/** The URL in one of its forms; the text as registered where it cannot be parsed. */
export function urlText(form: UrlForm, delivery: Pick<Delivery, 'url' | 'registeredUrl'>): string {
  const parsed = URL.canParse(delivery.registeredUrl) ? new URL(delivery.registeredUrl) : undefined;
  if (form === 'path-query') {
    return delivery.url;
  }
  if (form === 'path') {
    return delivery.url.split('?')[0] ?? '';
  }
  if (form === 'normalised') {
    return parsed?.href ?? delivery.registeredUrl;
  }
  return form === 'without-query' ? (delivery.registeredUrl.split('?')[0] ?? '') : delivery.registeredUrl;
}
