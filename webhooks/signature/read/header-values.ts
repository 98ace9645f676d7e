import { bounds } from './bounds.ts';

/** A value inside a header, and the text right before it (see Source). */
interface Field {
  readonly label: string;
  readonly text: string;
}

/** Where something stands in a text. */
interface Span {
  readonly at: number;
  readonly length: number;
}

/** A digest of 32 bytes, as a pattern for JavaScript and Python alike: hexadecimal, in pairs too, base64, base64 of hexadecimal. */
const digest =
  '(?:[0-9A-Fa-f]{64}(?![0-9A-Za-z])|[0-9A-Fa-f]{2}(?:[:. -][0-9A-Fa-f]{2}){31}(?![0-9A-Za-z])|[A-Za-z0-9+/]{86}==|[A-Za-z0-9+/_-]{43}=?(?![0-9A-Za-z+/_=-]))';
/** What may part a digest from a time or an id in one value. */
const joint = '[:.|_-]';
/** What may stand before a labelled value in a header. */
const boundary = String.raw`(?:^|[\s,;&{])`;

/** Stands for a digest in what is read: no header may hold it. */
const mark = '\u0000';
const word = '{signature}';

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);

/** A pattern, for JavaScript and Python alike, of a label where a value may begin. */
export const labelPattern = (label: string): string =>
  label.startsWith(word)
    ? `(?<![0-9A-Za-z])${digest}${escapePattern(label.slice(word.length))}`
    : `${boundary}${escapePattern(label)}`;

/** A pattern whose first group is the value behind a label; a value before a digest ends where the joint before that begins. */
export function valuePattern(label: string): string {
  const value = label.endsWith('"') ? '[^"]+' : String.raw`(?:(?!${joint}${digest})[^\s,;&"}])+`;
  return `${labelPattern(label)}(${value})`;
}

/** A name and its sign right before a value: `v1=`, `v1,`, `HMAC `, `signature="`, `"sig":"`. */
const named = /(?:[A-Za-z][A-Za-z0-9_.-]{0,31}(?:="|=:|=|,|:|\s|[-_/])|"[A-Za-z][A-Za-z0-9_.-]{0,31}"\s?:\s?"?)$/;
const behindDigest = new RegExp(String.raw`${mark}[\s,;:.|_&-]{1,3}$`);

/** The label of what follows `before`; empty where nothing names it. */
export function labelBefore(before: string): string {
  const tail = before.slice(-48);
  const match = named.exec(tail);
  const start = match === null ? -1 : tail.length - match[0].length;
  const stands = start > 0 ? /[\s,;&{]/.test(tail.charAt(start - 1)) : start === 0 && before.length <= 48;
  return stands ? (match?.[0] ?? '') : (behindDigest.exec(tail)?.[0].replace(mark, word) ?? '');
}

const run = new RegExp(String.raw`(?<=^|[\s,;&="]|${mark}[:.|_-]?)[A-Za-z0-9][A-Za-z0-9:.+_-]*`, 'g');
const inJson = /(?<=[{,]\s?)("[A-Za-z][A-Za-z0-9_.-]{0,31}"\s?:\s?"?)([^\s",}]+)(?=[",}])/g;
const quoted = /(?<=[=:]\s?)"([^"]{1,128})"/g;
const mostFields = 48;

/** The values inside a header value, where it has more than one or a labelled one; names before `=` are none. `digests`: where signatures stand in it. */
export function fieldsOf(value: string, digests: readonly Span[] = []): Field[] {
  const text = [...digests]
    .sort((a, b) => b.at - a.at)
    .reduce(
      (rest, { at, length }) => rest.slice(0, at) + mark + rest.slice(at + length),
      value.slice(0, bounds.headerLength),
    );
  const fields: Field[] = [];
  for (const match of text.matchAll(run)) {
    if (fields.length >= mostFields) {
      break;
    }
    const label = labelBefore(text.slice(Math.max(0, match.index - 64), match.index));
    const next = text.charAt(match.index + match[0].length);
    if (next === '=') {
      continue;
    }
    const beforeDigest = next === mark;
    const whole = beforeDigest ? match[0].replace(/[:.|_-]+$/, '') : match[0];
    if (whole.length < value.length) {
      fields.push({ label, text: whole });
    }
    fields.push(...(beforeDigest ? behindPrefixes(label, whole) : []));
  }
  for (const [, label = '', part = ''] of text.matchAll(inJson)) {
    fields.push({ label, text: part });
  }
  for (const match of text.matchAll(quoted)) {
    fields.push({
      label: labelBefore(text.slice(Math.max(0, match.index - 64), match.index + 1)),
      text: match[1] ?? '',
    });
  }
  return fields.slice(0, mostFields);
}

/** `v1:1700000000:` before a digest: the time behind the version. */
function behindPrefixes(label: string, text: string): Field[] {
  const joints = [...text.slice(0, 40).matchAll(/[:.|_-]/g)].slice(0, 3);
  return joints.map(({ index }) => ({ label: label + text.slice(0, index + 1), text: text.slice(index + 1) }));
}
