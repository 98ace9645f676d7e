import { createHash } from 'node:crypto';
import { decompress } from '../../../common/decompress.ts';
import { isObject, type JsonObject, parentOf, pointerNames } from '../../../common/json.ts';
import { type Delivery, headerValues } from '../delivery.ts';
import { bounds } from './bounds.ts';
import { escapes, type JsonStyle, jsonText } from './json-text.ts';
import { leavesOf } from './leaves.ts';

/** What a form is made from. */
interface BodyReading {
  readonly delivery: Delivery;
  /** The body as JSON, if it is an object or a list. */
  readonly json: object | undefined;
  /** The same without the signature inside it. */
  readonly unsigned: object | undefined;
}

/** One form of the body. */
interface BodyFormRow {
  readonly words: string;
  /** See `Coverage`. `unsigned` counts as derived if the signature is inside the body, otherwise as re-serialised. */
  readonly covers: 'raw' | 'derived' | 'unsigned' | 're-serialised' | 'none';
  /** Gives undefined if the form does not exist for this body. */
  readonly make: (from: BodyReading) => Buffer | string | undefined;
}

const row = (covers: BodyFormRow['covers'], words: string, make: BodyFormRow['make']): BodyFormRow => ({
  covers,
  words,
  make,
});

const hash = (algorithm: string, encoding: 'hex' | 'base64' | 'base64url', words: string): BodyFormRow =>
  row('derived', words, ({ delivery }) => createHash(algorithm).update(delivery.body).digest(encoding));

const compact: JsonStyle = { comma: ',', colon: ':' };
const python: JsonStyle = { comma: ', ', colon: ': ' };

const json = (words: string, style: JsonStyle): BodyFormRow =>
  row('re-serialised', `body as ${words}`, (from) =>
    from.json === undefined ? undefined : jsonText(from.json, style),
  );

/** A change of the body's object, written as compact JSON. */
const changed = (
  words: string,
  change: (value: JsonObject) => object | undefined,
  covers: BodyFormRow['covers'] = 're-serialised',
): BodyFormRow =>
  row(covers, words, ({ json: value }) => {
    const made = isObject(value) && Object.keys(value).length > 1 ? change(value) : undefined;
    return made && jsonText(made, compact);
  });

const unsigned = (words: string, write: (value: object) => string | undefined): BodyFormRow =>
  row('unsigned', words, (from) => (from.unsigned === undefined ? undefined : write(from.unsigned)));

/** The body's text, written in another way. */
const text = (words: string, write: (sent: string) => Buffer | string): BodyFormRow =>
  row('re-serialised', `body ${words}`, ({ delivery: { body } }) => write(body.toString('utf8')));

const lossy = (words: string, beyond: RegExp): BodyFormRow =>
  text(words, (sent) => Buffer.from(sent.replace(beyond, '?'), 'latin1'));

/** The largest object in an object: the event itself, without its envelope. */
const largestIn = (value: JsonObject): JsonObject | undefined =>
  Object.values(value)
    .filter(isObject)
    .sort((a, b) => JSON.stringify(b).length - JSON.stringify(a).length)[0];

/** All forms, in the order in which they are tried, with their words for sentences and how they are made. */
export const bodyForms = {
  raw: row('raw', 'body', ({ delivery }) => delivery.body),
  'sha256-hex': hash('sha256', 'hex', 'hex SHA-256 of the body'),
  'sha256-hex-upper': row('derived', 'upper-case hex SHA-256 of the body', ({ delivery }) =>
    createHash('sha256').update(delivery.body).digest('hex').toUpperCase(),
  ),
  'sha256-base64': hash('sha256', 'base64', 'base64 SHA-256 of the body'),
  'sha256-base64url': hash('sha256', 'base64url', 'URL-safe base64 SHA-256 of the body'),
  'sha512-hex': hash('sha512', 'hex', 'hex SHA-512 of the body'),
  'sha512-base64': hash('sha512', 'base64', 'base64 SHA-512 of the body'),
  'md5-hex': hash('md5', 'hex', 'hex MD5 of the body'),
  'md5-base64': hash('md5', 'base64', 'base64 MD5 of the body'),
  base64: row('derived', 'base64 of the body', ({ delivery }) => delivery.body.toString('base64')),
  base64url: row('derived', 'URL-safe base64 of the body', ({ delivery }) => delivery.body.toString('base64url')),
  decompressed: row('derived', 'decompressed body', ({ delivery }) => decompressed(delivery)),
  empty: row('none', 'nothing in place of the body', () => ''),
  'json-compact': json('compact JSON (JSON.stringify)', compact),
  'json-python': json('Python json.dumps writes it', { ...python, escape: escapes.ascii }),
  'json-python-utf8': json('Python json.dumps(ensure_ascii=False) writes it', python),
  'json-sorted': json('compact JSON with sorted keys', { ...compact, sorted: true }),
  'json-python-sorted': json('Python json.dumps(sort_keys=True) writes it', {
    ...python,
    sorted: true,
    escape: escapes.ascii,
  }),
  'json-ascii': json('compact JSON in ASCII', { ...compact, escape: escapes.ascii }),
  'json-php': json('PHP json_encode writes it', {
    ...compact,
    escape: (one) => escapes.slashes(escapes.ascii(one)),
  }),
  'json-php-utf8': json('PHP json_encode(JSON_UNESCAPED_UNICODE) writes it', { ...compact, escape: escapes.slashes }),
  'json-html': json('compact JSON with <, > and & escaped, as Go and Rails write it', {
    ...compact,
    escape: escapes.html,
  }),
  'json-html-sorted': json('compact JSON with sorted keys and <, > and & escaped, as Go writes maps', {
    ...compact,
    sorted: true,
    escape: escapes.html,
  }),
  'json-html-ascii': json('compact JSON in ASCII with <, > and & escaped', { ...compact, escape: escapes.htmlAscii }),
  'json-html-full': json('Gson writes it', { ...compact, escape: escapes.htmlFull }),
  'json-dotnet': json('System.Text.Json of .NET writes it', { ...compact, escape: escapes.dotnet }),
  'json-pretty-2': json('JSON indented by 2', { ...python, indent: 2 }),
  'json-pretty-4': json('JSON indented by 4', { ...python, indent: 4 }),
  'json-php-pretty': json('PHP json_encode(JSON_PRETTY_PRINT) writes it', {
    ...python,
    indent: 4,
    escape: (one) => escapes.slashes(escapes.ascii(one)),
  }),
  'ascii-escaped': text(String.raw`with non-ASCII letters as \uXXXX`, escapes.ascii),
  'ascii-escaped-upper': text(String.raw`with non-ASCII letters as \uXXXX in upper case`, escapes.asciiUpper),
  'html-escaped': text(String.raw`with <, > and & as \u003c, \u003e and \u0026`, escapes.html),
  'html-escaped-full': text(String.raw`with <, >, &, = and ' as \uXXXX`, escapes.htmlFull),
  'html-entities': text('with <, > and & as HTML entities', escapes.entities),
  'html-entities-values': text('with its texts in HTML entities', escapes.entitiesInValues),
  'html-entities-all': text('in HTML entities, quotes too', escapes.entitiesAll),
  'slashes-escaped': text(String.raw`with slashes as \/`, escapes.slashes),
  'slashes-unescaped': text('with its slashes not escaped', escapes.noSlashes),
  latin1: text('in Latin-1', (sent) => Buffer.from(sent, 'latin1')),
  'latin1-lossy': lossy('in Latin-1, with ? for all other characters', /[\u{100}-\u{10ffff}]/gu),
  'ascii-lossy': lossy('in ASCII, with ? for all other characters', /[\u{80}-\u{10ffff}]/gu),
  'utf8-twice': row('re-serialised', 'body read as Latin-1 and written as UTF-8', ({ delivery }) =>
    Buffer.from(delivery.body.toString('latin1'), 'utf8'),
  ),
  'utf-16': text('in UTF-16', (sent) => Buffer.from(sent, 'utf16le')),
  composed: text('with accents composed (NFC)', (sent) => sent.normalize('NFC')),
  decomposed: text('with accents decomposed (NFD)', (sent) => sent.normalize('NFD')),
  'newline-added': row('re-serialised', 'body with a newline added', ({ delivery }) =>
    Buffer.concat([delivery.body, Buffer.from('\n')]),
  ),
  trimmed: row('re-serialised', 'body without white space at its ends', ({ delivery }) =>
    Buffer.from(
      delivery.body
        .toString('latin1')
        .replace(/^[ \t\r\n]+/, '')
        .trimEnd(),
      'latin1',
    ),
  ),
  'json-unsigned': unsigned('body as compact JSON without the signature field', (value) => jsonText(value, compact)),
  'json-unsigned-sorted': unsigned('body as compact JSON without the signature field, keys sorted', (value) =>
    jsonText(value, { ...compact, sorted: true }),
  ),
  'json-unsigned-python': unsigned('body as Python json.dumps writes it without the signature field', (value) =>
    jsonText(value, { ...python, escape: escapes.ascii }),
  ),
  'json-inside': row('derived', 'payload that is a text in the body, unescaped', ({ json: value }) =>
    value === undefined ? undefined : textInside(value),
  ),
  'json-sorted-top': changed('body as compact JSON with its first level sorted', (value) =>
    Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))),
  ),
  'json-member': changed('largest object in the body alone, as compact JSON', largestIn, 'unsigned'),
  'json-inner-member': changed(
    'largest object in that of the body alone, as compact JSON',
    (value) => {
      const largest = largestIn(value);
      return largest && largestIn(largest);
    },
    'unsigned',
  ),
  'json-without-last': changed('body as compact JSON without its last field', (value) =>
    Object.fromEntries(Object.entries(value).slice(0, -1)),
  ),
  'object-text': row(
    're-serialised',
    'text "[object Object]", which JavaScript makes of an object',
    () => '[object Object]',
  ),
  'sorted-pairs': row(
    'unsigned',
    "body's fields as name=value joined by &, sorted, without the signature field",
    (from) => sortedPairs(from.unsigned ?? from.json),
  ),
  'sorted-fields': row('derived', "form's names and values run together, sorted by name", ({ delivery }) =>
    sortedFields(delivery),
  ),
} as const satisfies Readonly<Record<string, BodyFormRow>>;

export type BodyForm = keyof typeof bodyForms;
export const bodyFormNames = Object.keys(bodyForms) as BodyForm[];

/**
 * The payload of an envelope that holds it as a text: the longest top-level text that is JSON, or the base64 of JSON.
 */
const textInside = (value: object): string | undefined =>
  Object.values(value)
    .filter((one): one is string => typeof one === 'string' && (isJsonText(one) || isJsonText(decoded(one))))
    .sort((a, b) => b.length - a.length)[0];

const isJsonText = (text: string): boolean => /^\s*[{[][\s\S]*[}\]]\s*$/.test(text);
const decoded = (text: string): string =>
  /^[\w+/=-]{16,}$/.test(text) ? Buffer.from(text, 'base64').toString('utf8') : '';

/** The top level's texts and numbers as `a=1&b=2`, sorted by name, as payment services sign them. */
function sortedPairs(value: object | undefined): string | undefined {
  const pairs = leavesOf(value)
    .filter(({ pointer }) => parentOf(pointer) === '')
    .map(({ pointer, text: one }) => `${pointer.slice(1)}=${one}`);
  return pairs.length === 0 ? undefined : pairs.sort().join('&');
}

/** A form's fields as `Eventbooking.createdId7`, as telephony services sign them. */
function sortedFields({ headers, body }: Delivery): string | undefined {
  const isForm = headers.some(([name, value]) => /^content-type$/i.test(name) && /x-www-form-urlencoded/i.test(value));
  const fields = isForm ? [...new URLSearchParams(body.toString('utf8'))] : [];
  return fields.length === 0
    ? undefined
    : fields
        // By the names: `To` comes before `ToCity`, whatever its value is.
        .sort(([one], [other]) => (one < other ? -1 : Number(one > other)))
        .map((field) => field.join(''))
        .join('');
}

function decompressed(delivery: Delivery): Buffer | undefined {
  const coding = headerValues(delivery, 'content-encoding')[0];
  return coding === undefined ? undefined : decompress(delivery.body, coding, 10 * bounds.parsedBody);
}

/** A copy of a value without the member at `pointer`. */
export function without(value: unknown, pointer: string): unknown {
  return withoutNames(value, pointerNames(pointer));
}

function withoutNames(value: unknown, [first, ...rest]: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const entries = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    if (name !== first) {
      return [[name, member]];
    }
    return rest.length === 0 ? [] : [[name, withoutNames(member, rest)]];
  });
  return Array.isArray(value) ? entries.map(([, member]) => member) : Object.fromEntries(entries);
}
