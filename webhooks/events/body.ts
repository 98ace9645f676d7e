import { decompress } from '../../common/decompress.ts';
import { isObject, parseJson } from '../../common/json.ts';
import { jsonTrouble } from '../../common/nesting.ts';
import { type Delivery, headerValues } from '../signature/delivery.ts';

/** A delivery's body. In a document, the strings that are documents themselves are unpacked. */
type Body =
  | { readonly kind: 'empty' }
  | { readonly kind: 'document'; readonly value: unknown }
  /** A body in no known form. */
  | { readonly kind: 'text'; readonly text: string };

/** Bodies are not decompressed to more bytes, not parsed if they have more values, and not unpacked to more levels. */
const [mostBytes, mostValues, deepest] = [4 * 1_048_576, 20_000, 32];

/** Reads a delivery's body: JSON, lines of JSON, a form, multipart, a JWT or base64 of JSON. */
export function readBody(delivery: Pick<Delivery, 'body' | 'headers'>): Body {
  const bytes = decompressed(delivery);
  if (bytes.length === 0) {
    return { kind: 'empty' };
  }
  const type = headerValues(delivery, 'content-type').join(', ');
  const value = jsonTrouble(bytes, mostValues) === null ? documentOf(bytes, type) : undefined;
  if (typeof value === 'object' && value !== null) {
    return { kind: 'document', value: unpacked(value) };
  }
  return { kind: 'text', text: typeof value === 'string' ? value : bytes.toString('utf8') };
}

/** Gzip is told by its first bytes, too: some senders do not label it. */
function decompressed({ body, headers }: Pick<Delivery, 'body' | 'headers'>): Buffer {
  const encoding = headerValues({ headers }, 'content-encoding').join(', ') || null;
  try {
    return decompress(body, encoding ?? (body[0] === 0x1f && body[1] === 0x8b ? 'gzip' : null), mostBytes);
  } catch {
    return body;
  }
}

function documentOf(bytes: Buffer, type: string): unknown {
  const boundary = /multipart\/[^;]*;(?:.*;)?\s*boundary="?([^";]+)/i.exec(type)?.[1];
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  if (boundary !== undefined) {
    return partsOf(text, boundary);
  }
  return /x-www-form-urlencoded/i.test(type) ? formOf(text) : (inText(text) ?? linesOf(text) ?? unnamedForm(text));
}

const formOf = (text: string): Record<string, unknown> =>
  Object.fromEntries([...new URLSearchParams(text)].slice(0, 1_000));

/** The fields of a form without the content type of one; undefined if the text does not look like a form. */
const unnamedForm = (text: string): unknown =>
  /^[\w.[\]-]{1,64}=[^\s<>]*$/.test(text.trim()) ? formOf(text.trim()) : undefined;

/** The texts of a multipart body by their names (RFC 7578). Response.formData gives the same, but only later. */
const partsOf = (text: string, boundary: string): Record<string, unknown> =>
  Object.fromEntries(
    text
      .split(`--${boundary}`)
      .slice(1, 100)
      .flatMap((part) => {
        const end = part.indexOf('\r\n\r\n');
        const name = /\bname="?([^";\r\n]+)/i.exec(part.slice(0, end))?.[1];
        return end < 0 || name === undefined ? [] : [[name, part.slice(end + 4).replace(/\r\n$/, '')]];
      }),
  );

/** The objects of a text with a JSON object on each line; undefined for any other text. */
function linesOf(text: string): unknown {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < 2 || lines.length > 1_000 || !lines.every((line) => line.startsWith('{'))) {
    return undefined;
  }
  const values = lines.map(parseJson);
  return values.every(isObject) ? values : undefined;
}

/** The document in a text: JSON, the claims of a JWT, or base64 of a JSON object, as Google Pub/Sub wraps it. */
function inText(text: string): unknown {
  if (/^\s*[{[]/.test(text.slice(0, 64))) {
    return parseJson(text);
  }
  const [, first = '', claims] = /^\s*(ey[\w+/-]{6,}={0,2})(?:\.([\w-]*)\.[\w-]*)?\s*$/.exec(text) ?? [];
  return first === '' ? undefined : parseJson(Buffer.from(claims ?? first, 'base64').toString('utf8'));
}

/** A copy in which strings that are documents are replaced by these, and so are strings within them. */
function unpacked(root: unknown): unknown {
  let left = 200;
  const copy = (value: unknown, depth: number): unknown => {
    if (depth > deepest) {
      return value;
    }
    if (typeof value === 'string' && left > 0) {
      const inner = inText(value);
      left -= inner === undefined ? 0 : 1;
      return typeof inner === 'object' && inner !== null ? copy(inner, depth + 1) : value;
    }
    if (Array.isArray(value)) {
      return value.map((each) => copy(each, depth + 1));
    }
    return isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, copy(each, depth + 1)]))
      : value;
  };
  return copy(root, 0);
}
