import { isObject } from '../../common/json.ts';

/** A text that senders sign by mistake instead of the bytes they send. */
export interface OtherText {
  /** What it is: `body as JSON indented by 2`. */
  readonly words: string;
  readonly text: Buffer;
  /** Each receiver can rebuild it from what was sent (RFC 8785): right where the deployment's documents say so. */
  readonly isCanonical?: true;
}

type Write = (value: unknown) => string;

const compact: Write = JSON.stringify;
/** Blanks after commas and colons, as Python and others write them. JSON has no line feeds within texts. */
const spaced: Write = (value) => JSON.stringify(value, null, 1).replace(/,\n */g, ', ').replace(/\n */g, '');
const escaping =
  (set: RegExp, write: Write, upper = false): Write =>
  (value) =>
    write(value).replace(set, (one) => {
      const hex = one.charCodeAt(0).toString(16).padStart(4, '0');
      return `\\u${upper ? hex.toUpperCase() : hex}`;
    });
const beyondAscii = /[\u007f-\uffff]/g;
const slashes =
  (write: Write): Write =>
  (value) =>
    write(value).replaceAll('/', String.raw`\/`);

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(sorted);
  }
  return isObject(value) ? Object.fromEntries(keysSorted(value).map(([name, each]) => [name, sorted(each)])) : value;
}

const keysSorted = (value: object): [string, unknown][] =>
  Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));

/** Other ways to write the same JSON: those of usual libraries. */
const writers: Readonly<Record<string, Write>> = {
  'body as compact JSON (JSON.stringify)': compact,
  'body as JSON indented by 2': (value) => JSON.stringify(value, null, 2),
  'body as JSON indented by 4': (value) => JSON.stringify(value, null, 4),
  'body as JSON indented by tabs': (value) => JSON.stringify(value, null, '\t'),
  'body as Python json.dumps writes it': escaping(beyondAscii, spaced),
  'body as Python json.dumps(ensure_ascii=False) writes it': spaced,
  'body as Python json.dumps(sort_keys=True) writes it': (value) => escaping(beyondAscii, spaced)(sorted(value)),
  'body as compact JSON in ASCII': escaping(beyondAscii, compact),
  'body as PHP json_encode writes it': slashes(escaping(beyondAscii, compact)),
  'body as PHP json_encode(JSON_UNESCAPED_UNICODE) writes it': slashes(compact),
  'body as compact JSON with <, > and & escaped, as Go and Rails write it': escaping(/[<>&\u2028\u2029]/g, compact),
  'body as System.Text.Json of .NET writes it': escaping(/[<>&'+`\u007f-\uffff]/g, compact, true),
  'body as compact JSON with its outer fields sorted': (value) =>
    compact(isObject(value) ? Object.fromEntries(keysSorted(value)) : value),
};

/** All such texts of a body; some may be equal to it or to each other. `json`: the parsed body. */
export function otherTexts(body: Buffer, json: unknown): OtherText[] {
  const sent = body.toString('utf8');
  return [
    ...(typeof json === 'object' && json !== null ? serialisations(json) : []),
    { words: 'body with a newline added', text: Buffer.from(`${sent}\n`) },
    { words: 'body with CRLF added', text: Buffer.from(`${sent}\r\n`) },
    { words: 'body without white space around it', text: Buffer.from(sent.trim()) },
    { words: 'body with non-ASCII letters escaped', text: Buffer.from(escaping(beyondAscii, () => sent)(null)) },
    { words: 'body in Latin-1', text: Buffer.from(sent, 'latin1') },
    { words: 'body with ? for each letter beyond ASCII', text: Buffer.from(sent.replace(/\P{ASCII}/gu, '?')) },
    { words: 'text [object Object]', text: Buffer.from('[object Object]') },
    ...beginnings(body, sent),
  ];
}

function serialisations(json: object): OtherText[] {
  const written = Object.entries(writers).map(([words, write]) => ({ words, text: Buffer.from(write(json)) }));
  const inner = Object.entries(json)
    .filter(([, value]) => isObject(value))
    .slice(0, 5)
    .map(([name, value]) => ({ words: `field ${name} of the body alone`, text: Buffer.from(compact(value)) }));
  return [
    ...written.slice(0, 1),
    { words: 'body as compact JSON with sorted keys', text: Buffer.from(compact(sorted(json))), isCanonical: true },
    ...written.slice(1),
    ...inner,
  ];
}

/** Where buffers and columns end. */
const lengths = [32, 50, 64, 100, 128, 200, 255, 256, 500, 512, 1_000, 1_023, 1_024, 2_000, 2_048, 4_095, 4_096, 8_192];

/** What is left of a body that is cut at such a length, or whose length in characters is taken for that in bytes. */
function beginnings(body: Buffer, sent: string): OtherText[] {
  const counted = new Set([sent.length, [...sent].length]);
  return [
    ...lengths.flatMap((length) => [
      { words: `first ${length} bytes of the body`, text: body.subarray(0, length) },
      { words: `first ${length} characters of the body`, text: Buffer.from(sent.slice(0, length)) },
    ]),
    ...[...counted].map((length) => ({
      words: 'body cut to as many bytes as it has characters',
      text: body.subarray(0, length),
    })),
  ];
}
