import { isObject } from '../../common/json.ts';

/** A text that senders sign by mistake instead of the bytes they send. */
export interface OtherText {
  /** What it is: `body as JSON indented by 2`. */
  readonly words: string;
  readonly text: Buffer;
  /** Each receiver can rebuild it from what was sent (RFC 8785): right where the deployment's documents say so. */
  readonly isCanonical?: true;
}

const ascii = (text: string): string =>
  text.replace(/[\u007f-\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Blanks after commas and colons, as Python writes them. JSON has no line feeds within texts. */
const spaced = (value: unknown): string => JSON.stringify(value, null, 1).replace(/,\n */g, ', ').replace(/\n */g, '');

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1;

const sorted = (value: object): object =>
  Array.isArray(value) ? value : Object.fromEntries(Object.entries(value).sort(byName));

function sortedDeeply(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(sortedDeeply);
  }
  return isObject(value)
    ? sorted(Object.fromEntries(Object.entries(value).map(([name, each]) => [name, sortedDeeply(each)])))
    : value;
}

/** The same JSON as usual libraries write it. */
const serialisations = (json: object): readonly (readonly [words: string, text: string, isCanonical?: true])[] => [
  ['compact JSON (JSON.stringify)', JSON.stringify(json)],
  ['compact JSON with sorted keys', JSON.stringify(sortedDeeply(json)), true],
  ['compact JSON with its outer fields sorted', JSON.stringify(sorted(json))],
  ['JSON indented by 2', JSON.stringify(json, null, 2)],
  ['JSON indented by 4', JSON.stringify(json, null, 4)],
  ['JSON indented by tabs', JSON.stringify(json, null, '\t')],
  ['Python json.dumps writes it', ascii(spaced(json))],
  ['Python json.dumps(ensure_ascii=False) writes it', spaced(json)],
  ['Python json.dumps(sort_keys=True) writes it', ascii(spaced(sortedDeeply(json)))],
  ['compact JSON in ASCII', ascii(JSON.stringify(json))],
  ['compact JSON in ASCII with sorted keys', ascii(JSON.stringify(sortedDeeply(json)))],
  ['PHP json_encode writes it', ascii(JSON.stringify(json)).replaceAll('/', '\\/')],
];

/** Where buffers and columns end. */
const lengths = [64, 100, 128, 200, 255, 256, 500, 512, 1_000, 1_023, 1_024, 2_048, 4_096, 8_192];

/** All such texts of a body; some may be equal to it or to each other. `json`: the parsed body. */
export function otherTexts(body: Buffer, json: unknown): OtherText[] {
  const sent = body.toString('utf8');
  const isDocument = typeof json === 'object' && json !== null;
  const inner = Object.entries(isDocument ? json : {}).filter(([, value]) => isObject(value));
  const of = (words: string, text: string | Buffer): OtherText => ({ words, text: Buffer.from(text) });
  return [
    ...(isDocument ? serialisations(json) : []).map(([words, text, isCanonical]) => ({
      ...of(`body as ${words}`, text),
      ...(isCanonical === undefined ? {} : { isCanonical }),
    })),
    ...inner.slice(0, 5).map(([name, value]) => of(`field ${name} of the body alone`, JSON.stringify(value))),
    of('body with a newline added', `${sent}\n`),
    of('body with CRLF added', `${sent}\r\n`),
    of('body without white space around it', sent.trim()),
    of('body in Latin-1', Buffer.from(sent, 'latin1')),
    of('text [object Object]', '[object Object]'),
    ...lengths.flatMap((length) => [
      of(`first ${length} bytes of the body`, body.subarray(0, length)),
      of(`first ${length} characters of the body`, sent.slice(0, length)),
    ]),
    of('body cut to as many bytes as it has characters', body.subarray(0, sent.length)),
  ];
}
