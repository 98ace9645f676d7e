import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { bounds } from './bounds.ts';
import type { Delivery } from './delivery.ts';
import { headerValues } from './delivery.ts';
import type { JsonStyle } from './json-text.ts';
import { jsonText } from './json-text.ts';
import { leavesOf, parentOf } from './leaves.ts';
import type { BodyForm, Source } from './scheme.ts';
import { bodyForms } from './scheme.ts';

const compact: JsonStyle = { comma: ',', colon: ':' };
const python: JsonStyle = { comma: ', ', colon: ': ' };

const styles: Partial<Record<BodyForm, JsonStyle>> = {
  'json-python': { ...python, ascii: true },
  'json-python-utf8': python,
  'json-sorted': { ...compact, sorted: true },
  'json-python-sorted': { ...python, ascii: true, sorted: true },
  'json-ascii': { ...compact, ascii: true },
  'json-php': { ...compact, ascii: true, slashes: true },
};

/** Forms that leave out the signature: one inside the body cannot be made over the bytes that hold it. */
const unsignedForms: readonly BodyForm[] = [
  'json-unsigned',
  'json-unsigned-sorted',
  'json-unsigned-python',
  'sorted-pairs',
];

/** How a form of the body relates to the bytes sent; `signature` is where the signature stands. */
export function coverage(form: BodyForm, signature: Source): 'raw' | 'derived' | 're-serialised' | 'none' {
  if (form === 'raw') {
    return 'raw';
  }
  if (signature.in === 'body' && unsignedForms.includes(form)) {
    return 'derived';
  }
  if (form === 'empty') {
    return 'none';
  }
  return ['sha256-hex', 'sha256-base64', 'base64', 'decompressed', 'json-inside'].includes(form)
    ? 'derived'
    : 're-serialised';
}

/** A reading of one delivery's body that makes each form once. */
export interface Bodies {
  readonly parsed: unknown;
  /** Undefined where the form does not exist for this body, or the body is too large to be written another way. */
  of(form: BodyForm): Buffer | undefined;
  /** Forms whose bytes differ from those of every form before them. */
  distinct(): { readonly form: BodyForm; readonly bytes: Buffer }[];
}

/** `signaturePointer`: where a signature inside the body stands, for the forms that leave it out. */
export function bodiesOf(delivery: Delivery, parsed: unknown, signaturePointer?: string): Bodies {
  const made = new Map<BodyForm, Buffer | undefined>();
  const of = (form: BodyForm): Buffer | undefined => {
    if (!made.has(form)) {
      made.set(
        form,
        attempt(() => makeForm(form, delivery, parsed, signaturePointer)),
      );
    }
    return made.get(form);
  };
  const distinct = (): { form: BodyForm; bytes: Buffer }[] => {
    const seen: { form: BodyForm; bytes: Buffer }[] = [];
    for (const form of bodyForms) {
      const bytes = of(form);
      if (bytes !== undefined && !seen.some((one) => one.bytes.equals(bytes))) {
        seen.push({ form, bytes });
      }
    }
    return seen;
  };
  return { parsed, of, distinct };
}

function makeForm(
  form: BodyForm,
  delivery: Delivery,
  parsed: unknown,
  signaturePointer: string | undefined,
): Buffer | string | undefined {
  const { body } = delivery;
  if (form === 'raw') {
    return body;
  }
  if (form === 'empty') {
    return '';
  }
  if (form === 'sha256-hex') {
    return createHash('sha256').update(body).digest('hex');
  }
  if (form === 'sha256-base64') {
    return createHash('sha256').update(body).digest('base64');
  }
  if (body.length > bounds.parsedBody) {
    return undefined;
  }
  if (form === 'base64') {
    return body.toString('base64');
  }
  if (form === 'decompressed') {
    return decompressed(delivery);
  }
  if (form === 'newline-added') {
    return Buffer.concat([body, Buffer.from('\n')]);
  }
  if (form === 'trimmed') {
    return body.toString('latin1').trim() === body.toString('latin1') ? undefined : trim(body);
  }
  return typeof parsed === 'object' && parsed !== null ? rewritten(form, parsed, signaturePointer) : undefined;
}

function rewritten(form: BodyForm, parsed: object, signaturePointer: string | undefined): string | undefined {
  const style = styles[form];
  if (style !== undefined) {
    return jsonText(parsed, style);
  }
  if (form === 'json-compact') {
    return JSON.stringify(parsed);
  }
  if (form === 'json-pretty-2') {
    return JSON.stringify(parsed, null, 2);
  }
  if (form === 'json-pretty-4') {
    return JSON.stringify(parsed, null, 4);
  }
  if (form === 'json-inside') {
    return jsonInside(parsed);
  }
  const unsigned = signaturePointer === undefined ? undefined : without(parsed, signaturePointer);
  if (form === 'sorted-pairs') {
    return sortedPairs(unsigned ?? parsed);
  }
  if (unsigned === undefined) {
    return undefined;
  }
  if (form === 'json-unsigned-python') {
    return jsonText(unsigned, { ...python, ascii: true });
  }
  return jsonText(unsigned, { ...compact, sorted: form === 'json-unsigned-sorted' });
}

/** The payload of an envelope that carries it as text: the longest text near the top that is written as an object or list. */
const jsonInside = (parsed: object): string | undefined =>
  Object.values(parsed)
    .filter((value): value is string => typeof value === 'string' && /^\s*[{[][\s\S]*[}\]]\s*$/.test(value))
    .sort((a, b) => b.length - a.length)[0];

/** The same value without the member at `pointer`; parents on the way are copied. */
function without(value: unknown, pointer: string): unknown {
  const [, head = '', ...rest] = pointer.split('/');
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const key = head.replaceAll('~1', '/').replaceAll('~0', '~');
  const entries = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    if (name !== key) {
      return [[name, member]];
    }
    return rest.length === 0 ? [] : [[name, without(member, `/${rest.join('/')}`)]];
  });
  return Array.isArray(value) ? entries.map(([, member]) => member) : Object.fromEntries(entries);
}

/** `a=1&b=2` of the top level's texts and numbers, by name, as payment services sign them. */
function sortedPairs(value: unknown): string | undefined {
  const pairs = leavesOf(value)
    .filter(({ pointer }) => parentOf(pointer) === '')
    .map(({ pointer, text }) => `${pointer.slice(1)}=${text}`);
  return pairs.length === 0 ? undefined : pairs.sort().join('&');
}

function trim(body: Buffer): Buffer {
  const text = body.toString('latin1');
  return Buffer.from(text.replace(/^[ \t\r\n]+/, '').trimEnd(), 'latin1');
}

function decompressed(delivery: Delivery): Buffer | undefined {
  const coding = headerValues(delivery, 'content-encoding')[0]?.trim().toLowerCase();
  const most = { maxOutputLength: 10 * bounds.parsedBody };
  if (coding === 'gzip' || coding === 'x-gzip') {
    return gunzipSync(delivery.body, most);
  }
  if (coding === 'deflate') {
    return inflateSync(delivery.body, most);
  }
  return coding === 'br' ? brotliDecompressSync(delivery.body, most) : undefined;
}

/** Compressed bytes that do not decompress and values too deep to write have no such form. */
function attempt(make: () => Buffer | string | undefined): Buffer | undefined {
  try {
    const made = make();
    return typeof made === 'string' ? Buffer.from(made) : made;
  } catch {
    return undefined;
  }
}
