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

/** As Python writes it: in ASCII, with blanks after commas and colons. JSON has no line feeds within texts. */
const python = (value: unknown): string =>
  ascii(JSON.stringify(value, null, 1).replace(/,\n */g, ', ').replace(/\n */g, ''));

/** With sorted keys: deeply as Python does, or only the outer ones as PHP's ksort. */
function sorted(value: unknown, isDeep = true): unknown {
  if (Array.isArray(value)) {
    return isDeep ? value.map((each) => sorted(each)) : value;
  }
  const fields = isObject(value) ? Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)) : undefined;
  return fields === undefined
    ? value
    : Object.fromEntries(fields.map(([name, each]) => [name, isDeep ? sorted(each) : each]));
}

/** Where buffers and columns end. */
const lengths = [64, 100, 128, 255, 256, 500, 512, 1_000, 1_024, 2_048, 4_096];

/** All such texts of a body; some may be equal to it or to each other. `json`: the parsed body. */
export function otherTexts(body: Buffer, json: unknown): OtherText[] {
  const sent = body.toString('utf8');
  const isDocument = typeof json === 'object' && json !== null;
  const written: readonly (readonly [words: string, text: string, isCanonical?: true])[] = isDocument
    ? [
        ['body as compact JSON (JSON.stringify)', JSON.stringify(json)],
        ['body as compact JSON with sorted keys', JSON.stringify(sorted(json)), true],
        ['body as compact JSON with its outer fields sorted', JSON.stringify(sorted(json, false))],
        ['body as compact JSON in ASCII', ascii(JSON.stringify(json))],
        ['body as JSON indented by 2', JSON.stringify(json, null, 2)],
        ['body as Python json.dumps writes it', python(json)],
        ['body as Python json.dumps(sort_keys=True) writes it', python(sorted(json))],
        ['body as PHP json_encode writes it', ascii(JSON.stringify(json)).replaceAll('/', '\\/')],
        ...Object.entries(json)
          .filter(([, value]) => isObject(value))
          .slice(0, 5)
          .map(([name, value]) => [`field ${name} of the body alone`, JSON.stringify(value)] as const),
      ]
    : [];
  const parts = [
    ['body with a newline added', `${sent}\n`],
    ['body without white space around it', sent.trim()],
    ...lengths
      .filter((length) => length < body.length)
      .map((length) => [`first ${length} bytes of the body`, body.subarray(0, length)] as const),
  ] as const;
  return [...written, ...parts].map(([words, text, isCanonical]) => ({
    ...{ words, text: Buffer.from(text) },
    ...(isCanonical === true ? { isCanonical } : {}),
  }));
}
