import { bounds } from './bounds.ts';

/** A value inside a header, and its label, which is the text right before it (see `Source`). */
interface Field {
  readonly label: string;
  readonly text: string;
}

/** The place of a digest in a header's value. */
interface Span {
  readonly at: number;
  readonly length: number;
}

/**
 * A pattern, for JavaScript and Python, of a digest of 32 bytes: hexadecimal (in pairs too), base64, base64 of
 * hexadecimal.
 */
const digest =
  '(?:[0-9A-Fa-f]{64}(?![0-9A-Za-z])|[0-9A-Fa-f]{2}(?:[:. -][0-9A-Fa-f]{2}){31}(?![0-9A-Za-z])|[A-Za-z0-9+/]{86}==|[A-Za-z0-9+/_-]{43}=?(?![0-9A-Za-z+/_=-]))';
/** The characters that may separate a digest from a time or an id in one value. */
const joint = '[:.|_-]';
/** What may come before a label in a header. */
const boundary = String.raw`(?:^|[\s,;&{])`;

/** Put in place of digests when fields are read; no header can hold this character. */
const mark = '\u0000';
const word = '{signature}';

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);

/** A pattern, for JavaScript and Python, of a label. */
export const labelPattern = (label: string): string =>
  label.startsWith(word)
    ? `(?<![0-9A-Za-z])${digest}${escapePattern(label.slice(word.length))}`
    : `${boundary}${escapePattern(label)}`;

/**
 * A pattern whose first group is the value after a label. A value before a digest ends at the joint between the two.
 */
export function valuePattern(label: string): string {
  const value = label.endsWith('"') ? '[^"]+' : String.raw`(?:(?!${joint}${digest})[^\s,;&"}])+`;
  return `${labelPattern(label)}(${value})`;
}

/** A name and a sign right before a value: `v1=`, `v1,`, `HMAC `, `signature="`, `"sig":"`. */
const named = /(?:[A-Za-z][A-Za-z0-9_.-]{0,31}(?:="|=:|=|,|:|\s|[-_/])|"[A-Za-z][A-Za-z0-9_.-]{0,31}"\s?:\s?"?)$/;
const behindDigest = new RegExp(String.raw`${mark}[\s,;:.|_&-]{1,3}$`);

/** The label of the value that follows `before`; empty if it has none. */
export function labelBefore(before: string): string {
  const tail = before.slice(-48);
  const match = named.exec(tail);
  const start = match === null ? -1 : tail.length - match[0].length;
  const isSeparate = start > 0 ? /[\s,;&{]/.test(tail.charAt(start - 1)) : start === 0 && before.length <= 48;
  return isSeparate ? (match?.[0] ?? '') : (behindDigest.exec(tail)?.[0].replace(mark, word) ?? '');
}

const run = new RegExp(String.raw`(?<=^|[\s,;&="]|${mark}[:.|_-]?)[A-Za-z0-9][A-Za-z0-9:.+_-]*`, 'g');
const inJson = /(?<=[{,]\s?)("[A-Za-z][A-Za-z0-9_.-]{0,31}"\s?:\s?"?)([^\s",}]+)(?=[",}])/g;
const quoted = /(?<=[=:]\s?)"([^"]{1,128})"/g;
const mostFields = 48;

/**
 * The values inside a header's value, if there are several or they have labels. A name before `=` is no value.
 * `digests` are the places of signatures in it.
 */
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

/** The values after prefixes in a text before a digest: the time in `v1:1700000000:`. */
function behindPrefixes(label: string, text: string): Field[] {
  const joints = [...text.slice(0, 40).matchAll(/[:.|_-]/g)].slice(0, 3);
  return joints.map(({ index }) => ({ label: label + text.slice(0, index + 1), text: text.slice(index + 1) }));
}
