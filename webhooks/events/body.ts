import { gunzipSync } from 'node:zlib';
import { decompress } from '../../common/decompress.ts';
import { isObject, parseJson } from '../../common/json.ts';
import { jsonTrouble } from '../../common/nesting.ts';
import { type Delivery, headerValues } from '../signature/delivery.ts';
import { partsOf } from './multipart.ts';
import { decodeText } from './text.ts';

/** A delivery's body. In a document, all strings that are documents themselves are unpacked. */
export type Body =
  | { readonly kind: 'empty' }
  | { readonly kind: 'document'; readonly value: unknown }
  /** A body in no known form. */
  | { readonly kind: 'text'; readonly text: string };

/** Bodies are not decompressed to more bytes, not parsed if they have more values, and not unpacked to more levels. */
const [mostBytes, mostValues, deepest] = [4 * 1_048_576, 20_000, 32];

/**
 * Reads a delivery's body: JSON, lines of JSON, a form, multipart, a JWT or base64; and each of these within strings.
 */
export function readBody(delivery: Pick<Delivery, 'body' | 'headers'>): Body {
  const bytes = unpackBytes(delivery);
  if (bytes.length === 0) {
    return { kind: 'empty' };
  }
  const type = headerValues(delivery, 'content-type').join(', ');
  const value = jsonTrouble(bytes, mostValues) === null ? documentOf(bytes, type) : undefined;
  if (typeof value === 'object' && value !== null) {
    return { kind: 'document', value: unpack(value) };
  }
  return { kind: 'text', text: typeof value === 'string' ? value : bytes.toString('utf8') };
}

function unpackBytes({ body, headers }: Pick<Delivery, 'body' | 'headers'>): Buffer {
  try {
    const plain = decompress(body, headerValues({ headers }, 'content-encoding').join(', ') || null, mostBytes);
    const gzipped = plain[0] === 0x1f && plain[1] === 0x8b;
    return gzipped ? gunzipSync(plain, { maxOutputLength: mostBytes }) : plain;
  } catch {
    return body;
  }
}

function documentOf(bytes: Buffer, type: string): unknown {
  const boundary = /multipart\/[^;]*;(?:.*;)?\s*boundary="?([^";]+)/i.exec(type)?.[1];
  if (boundary !== undefined) {
    return partsOf(bytes, boundary);
  }
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  return /x-www-form-urlencoded/i.test(type) ? formOf(text) : (decodeText(text) ?? linesOf(text) ?? unnamedForm(text));
}

const formOf = (text: string): Record<string, unknown> =>
  Object.fromEntries([...new URLSearchParams(text)].slice(0, 1_000));

/** The fields of a form without the content type of one; undefined if the text does not look like a form. */
const unnamedForm = (text: string): unknown =>
  /^[\w.[\]-]{1,64}=[^\s<>]*$/.test(text.trim()) ? formOf(text.trim()) : undefined;

/** The objects of a text with a JSON object on each line; undefined for any other text. */
function linesOf(text: string): unknown {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < 2 || lines.length > 1_000 || !lines.every((line) => line.startsWith('{'))) {
    return undefined;
  }
  const values = lines.map(parseJson);
  return values.every(isObject) ? values : undefined;
}

/** A copy in which every string that is a document is replaced by that document. */
function unpack(root: unknown): unknown {
  let left = 200;
  const copy = (value: unknown, depth: number): unknown => {
    if (depth > deepest) {
      return value;
    }
    if (typeof value === 'string' && left > 0) {
      const inner = decodeText(value, () => (left -= 1));
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
