import { canonical, isObject } from '../../common/json.ts';

/** A text that senders sign by mistake instead of the bytes they send, and what it is: `body as JSON indented by 2`. */
export type OtherText = ReturnType<typeof of>;

/** The one that each receiver can rebuild from what was sent (RFC 8785): right where the deployment's documents say so. */
export const canonicalWords = 'body as compact JSON with sorted keys';

const of = (words: string, text: string | Buffer) => ({ words, text: Buffer.from(text) });

/** A step of writing JSON, with the words for it; none for the usual one. */
type Steps<T> = readonly (readonly [words: string, step: T])[];

const layouts: Steps<(value: unknown) => string> = [
  ['compact JSON', (value) => JSON.stringify(value)],
  // JSON has no line feeds within texts.
  ['JSON with blanks', (value) => JSON.stringify(value, null, 1).replace(/,\n */g, ', ').replace(/\n */g, '')],
  ['JSON indented by 2', (value) => JSON.stringify(value, null, 2)],
  ['JSON indented by 4', (value) => JSON.stringify(value, null, 4)],
];

const orders: Steps<(value: unknown) => unknown> = [
  ['', (value) => value],
  [' with sorted keys', (value) => JSON.parse(canonical(value))],
];

const code = (one: string): string => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`;
const ascii = (text: string): string => text.replace(/[\u007f-\uffff]/g, code);

const escapings: Steps<(text: string) => string> = [
  ['', (text) => text],
  [' in ASCII', ascii],
  [' in ASCII with escaped slashes, as PHP json_encode writes it', (text) => ascii(text).replaceAll('/', '\\/')],
  [' with escaped slashes, as PHP writes it with JSON_UNESCAPED_UNICODE', (text) => text.replaceAll('/', '\\/')],
  [' with escaped <, > and &, as Go and Rails write it', (text) => text.replace(/[<>&\u2028\u2029]/g, code)],
];

/** The body as libraries write the same JSON: laid out, ordered and escaped in each way. */
const written = (json: unknown): OtherText[] =>
  layouts.flatMap(([layout, lay]) =>
    orders.flatMap(([order, arrange]) => {
      const text = lay(arrange(json));
      return escapings.map(([escaping, write]) => of(`body as ${layout}${order}${escaping}`, write(text)));
    }),
  );

/** Where buffers and columns end. */
const lengths = [64, 100, 128, 255, 256, 500, 512, 1_000, 1_024, 2_048, 4_096];

/** All such texts of a body; some may be equal to it or to each other. `json`: the parsed body. */
export function otherTexts(body: Buffer, json: unknown): OtherText[] {
  const sent = body.toString('utf8');
  const isDocument = typeof json === 'object' && json !== null;
  const inner = Object.entries(isDocument ? json : {}).filter(([, value]) => isObject(value));
  return [
    ...(isDocument ? written(json) : []),
    ...inner
      .slice(0, 5)
      .flatMap(([name, value]) =>
        escapings.map(([escaping, write]) =>
          of(`field ${name} of the body alone${escaping}`, write(JSON.stringify(value))),
        ),
      ),
    // What was given to be signed was a text already.
    ...escapings.map(([escaping, write]) =>
      of(`body written as JSON once more${escaping}`, write(JSON.stringify(sent))),
    ),
    // An object where a text is expected, in JavaScript.
    of('text [object Object] in place of the body', '[object Object]'),
    of('body with a newline added', `${sent}\n`),
    // The default of Node's crypto once, which keeps the last byte of each character.
    of('body in Latin-1', Buffer.from(sent, 'latin1')),
    of('body without white space around it', sent.trim()),
    // The default charset of Java before JDK 18 (JEP 400).
    of('body with a question mark for each character that is not ASCII', sent.replace(/[^\0-\x7f]/gu, '?')),
    ...lengths
      .filter((length) => length < body.length)
      .map((length) => of(`first ${length} bytes of the body`, body.subarray(0, length))),
  ];
}
