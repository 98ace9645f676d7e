import { bounds } from './bounds.ts';
import type { Delivery } from './delivery.ts';
import { headerValues } from './delivery.ts';
import type { Leaf } from './leaves.ts';
import type { Part, Place } from './scheme.ts';
import { readTime } from './times.ts';
import { queryOf, type Token } from './tokens.ts';

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
const most = { times: 4, ids: 4, words: 4 };

export function gatherIngredients(delivery: Delivery, tokens: readonly Token[], leaves: readonly Leaf[]): Ingredients {
  const texts = new Set(tokens.map(({ text }) => text));
  const found = [...headerTexts(delivery), ...besideTokens(delivery, tokens, leaves)].filter(
    ({ text }) => text.length <= 256 && ![...texts].some((token) => text.includes(token)),
  );
  const isTime = ({ text }: Found): boolean => readTime(text) !== undefined;
  return {
    times: grouped(found.filter(isTime).sort(by(dateLast))).slice(0, most.times),
    ids: [...signedHeaders(delivery), ...grouped(found.filter((one) => !isTime(one)).sort(by(idFirst)))].slice(
      0,
      most.ids,
    ),
    words: wordsOf(delivery, tokens).map((text) => ({ text, parts: [{ from: 'text', text }] })),
    urls: urlsOf(delivery),
    methods: [{ text: delivery.method, parts: [{ from: 'method' }] }],
  };
}

interface Found {
  readonly text: string;
  readonly place: Place;
}

const by =
  (rank: (one: Found) => number) =>
  (one: Found, other: Found): number =>
    rank(one) - rank(other);
const dateLast = ({ place }: Found): number => (/^date$/i.test(place.name) ? 1 : 0);
const idFirst = ({ text, place }: Found): number =>
  /(^|[-_/])(id|ids|nonce|token|sequence|number|delivery|salt)$/i.test(place.name) || /nonce|id=/.test(text) ? 0 : 1;

function grouped(all: readonly Found[]): Ingredient[] {
  const byText = Map.groupBy(all, ({ text }) => text);
  return [...byText].map(([text, group]) => ({ text, parts: group.map(({ place }) => place) }));
}

/** Headers' whole values, and the entries of those that have several: `t=17` or a first entry without a name. */
function headerTexts({ headers }: Delivery): Found[] {
  return headers.slice(0, bounds.headers).flatMap(([name, value]): Found[] => {
    if (isGeneral(name)) {
      return [];
    }
    const read = value.slice(0, bounds.headerLength);
    const entries = [...read.matchAll(/(^|[\s,;&])([A-Za-z][\w-]{0,30}=)?"?([^\s,;&"]+)/g)].slice(0, 12);
    const isWhole = entries.length <= 1 && entries[0]?.[2] === undefined;
    const labelled = entries.flatMap(([, , label, text = ''], index): Found[] =>
      label === undefined && index > 0 ? [] : [{ text, place: { from: 'header', name, label: label ?? '' } }],
    );
    return [{ text: read, place: { from: 'header', name } }, ...(isWhole ? [] : labelled)];
  });
}

/** The parameters or fields beside a signature in the query or the body. */
function besideTokens(delivery: Delivery, tokens: readonly Token[], leaves: readonly Leaf[]): Found[] {
  const inQuery = tokens.some(({ place }) => place.from === 'query');
  const objects = new Set(
    tokens.flatMap(({ place }) => (place.from === 'field' ? [place.name.replace(/\/[^/]*$/, '')] : [])),
  );
  return [
    ...(inQuery ? queryOf(delivery.url).map(([name, text]): Found => ({ text, place: { from: 'query', name } })) : []),
    ...leaves
      .filter(({ pointer }) => objects.has(pointer.replace(/\/[^/]*$/, '')))
      .slice(0, 12)
      .map(({ pointer, text }): Found => ({ text, place: { from: 'field', name: pointer } })),
  ];
}

/** The headers that another one lists, as Contentful signs them. */
function signedHeaders(delivery: Delivery): Ingredient[] {
  return delivery.headers.slice(0, bounds.headers).flatMap(([name, value]): Ingredient[] => {
    const names = /signed-?headers$/i.test(name) ? value.slice(0, bounds.headerLength).split(',') : [];
    const lines = names.map((one) => [one, headerValues(delivery, one)[0]] as const);
    return lines.length === 0 || lines.some(([, text]) => text === undefined)
      ? []
      : [{ text: lines.map(([one, text]) => `${one}:${text}`).join(';'), parts: [{ from: 'signed-headers', name }] }];
  });
}

/** Versions before signatures (`v1` in `v1=`), and words that services put before the body. */
function wordsOf({ headers }: Delivery, tokens: readonly Token[]): string[] {
  const shown = headers.flatMap(([, value]) => {
    const token = tokens.find(({ text }) => value.includes(text));
    const label =
      token === undefined ? undefined : /([A-Za-z0-9-]{1,12})[=,: ]$/.exec(value.split(token.text)[0] ?? '');
    return label?.[1] === undefined ? [] : [label[1]];
  });
  return [...new Set([...shown, 'v0', 'v1', 'hmacsha256='])].slice(0, most.words);
}

function urlsOf({ url, registeredUrl }: Delivery): Ingredient[] {
  const host = URL.parse(registeredUrl)?.host ?? '';
  const texts: readonly [Part, string][] = [
    [{ from: 'url' }, registeredUrl],
    [{ from: 'target' }, url],
    [{ from: 'path' }, url.split('?')[0] ?? ''],
    [{ from: 'host' }, host],
  ];
  const byText = Map.groupBy(
    texts.filter(([, text]) => text !== ''),
    ([, text]) => text,
  );
  return [...byText].map(([text, group]) => ({ text, parts: group.slice(0, 1).map(([part]) => part) }));
}
