import { bounds } from './bounds.ts';
import { type Delivery, headerValues } from './delivery.ts';
import type { Part, Place } from './scheme.ts';
import { readTime } from './times.ts';
import type { Leaf, Token } from './tokens.ts';

/** A text that may be signed beside the body. Several places may hold the same text; another delivery tells them apart. */
export interface Ingredient {
  readonly text: string;
  readonly parts: readonly Part[];
}

/** What may be signed beside the body, by its kind, the likeliest first. A content holds at most one of each kind. */
export interface Ingredients {
  readonly times: readonly Ingredient[];
  readonly ids: readonly Ingredient[];
  readonly words: readonly Ingredient[];
  readonly urls: readonly Ingredient[];
  readonly methods: readonly Ingredient[];
}

/** Headers that no sender signs by themselves. */
const general =
  /^(host|connection|content-(type|length|encoding)|accept.*|user-agent|cookie|transfer-encoding|traceparent|via|forwarded|x-forwarded-.*)$/i;

/** Whether a header is one of HTTP or of a proxy, and so carries neither a signature nor what is signed. */
export const isGeneral = (name: string): boolean => general.test(name);

/** How many of each kind are tried. */
const most = 3;

export function gatherIngredients(delivery: Delivery, tokens: readonly Token[], leaves: readonly Leaf[]): Ingredients {
  const texts = new Set(tokens.map(({ text }) => text));
  const found = [...headerTexts(delivery), ...besideTokens(tokens, leaves)].filter(
    ({ text }) => text.length <= 256 && ![...texts].some((token) => text.includes(token)),
  );
  const isTime = ({ text }: Found): boolean => readTime(text) !== undefined;
  const times = found.filter(isTime).sort(by(({ place }) => /^date$/i.test(place.name)));
  const others = found.filter((one) => !isTime(one)).sort(by((one) => !isIdNamed(one)));
  const first = (all: readonly Ingredient[]): Ingredient[] => all.slice(0, most);
  return {
    times: first(grouped(times)),
    ids: first([...signedHeaders(delivery), ...grouped(others)]),
    words: first(wordsOf(delivery, tokens).map((text) => ({ text, parts: [{ from: 'text', text }] }))),
    urls: urlsOf(delivery),
    methods: [{ text: delivery.method, parts: [{ from: 'method' }] }],
  };
}

interface Found {
  readonly text: string;
  readonly place: Place;
}

/** Sorts those last of which it holds. */
const by =
  (isLast: (one: Found) => boolean) =>
  (one: Found, other: Found): number =>
    Number(isLast(one)) - Number(isLast(other));

const isIdNamed = ({ text, place }: Found): boolean =>
  /(^|[-_/])(id|ids|nonce|token|sequence|number|delivery|salt)$/i.test(place.name) || /nonce|id=/.test(text);

const grouped = (all: readonly Found[]): Ingredient[] =>
  [...Map.groupBy(all, ({ text }) => text)].map(([text, group]) => ({ text, parts: group.map(({ place }) => place) }));

/** Headers' whole values, and the entries of those that have several: `t=17` or a first entry without a name. */
const headerTexts = ({ headers }: Delivery): Found[] =>
  headers.slice(0, bounds.headers).flatMap(([name, value]): Found[] => {
    const read = isGeneral(name) ? '' : value.slice(0, bounds.headerLength);
    const entries = [...read.matchAll(/(^|[\s,;&])([A-Za-z][\w-]{0,30}=)?"?([^\s,;&"]+)/g)].slice(0, 12);
    const isWhole = entries.length <= 1 && entries[0]?.[2] === undefined;
    const labelled = entries.flatMap(([, , label, text = ''], index): Found[] =>
      label === undefined && index > 0 ? [] : [{ text, place: { from: 'header', name, label: label ?? '' } }],
    );
    return read === '' ? [] : [{ text: read, place: { from: 'header', name } }, ...(isWhole ? [] : labelled)];
  });

/** The fields beside a signature in the body, as Mailgun has them. */
function besideTokens(tokens: readonly Token[], leaves: readonly Leaf[]): Found[] {
  const objectOf = (pointer: string): string => pointer.replace(/\/[^/]*$/, '');
  const objects = new Set(tokens.flatMap(({ place }) => (place.from === 'field' ? [objectOf(place.name)] : [])));
  return leaves
    .filter(({ pointer }) => objects.has(objectOf(pointer)))
    .slice(0, 12)
    .map(({ pointer, text }): Found => ({ text, place: { from: 'field', name: pointer } }));
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
    const token = tokens.find(({ text }) => value.includes(text));
    const before = token === undefined ? '' : (value.split(token.text)[0] ?? '');
    return /([A-Za-z0-9-]{1,12})[=,: ]$/.exec(before)?.[1] ?? [];
  });
  return [...new Set([...shown, 'v0', 'v1', 'hmacsha256='])];
}

function urlsOf({ url, registeredUrl }: Delivery): Ingredient[] {
  const texts: readonly (readonly [Part & { readonly from: 'url' | 'target' | 'path' | 'host' }, string])[] = [
    [{ from: 'url' }, registeredUrl],
    [{ from: 'target' }, url],
    [{ from: 'path' }, url.split('?')[0] ?? ''],
    [{ from: 'host' }, URL.parse(registeredUrl)?.host ?? ''],
  ];
  return texts
    .filter(([, text], index) => text !== '' && texts.findIndex(([, other]) => other === text) === index)
    .map(([part, text]) => ({ text, parts: [part] }));
}
