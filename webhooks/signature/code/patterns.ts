import type { BodyForm } from '../read/body-forms.ts';
import { labelPattern } from '../read/header-values.ts';
import type { Encoding, Part, Scheme, Source } from '../scheme.ts';

/** The sources of a scheme's content and of its timestamp, each once. */
export function sourcesOf({ content, timestamp }: Scheme): Source[] {
  const parts = content.kind === 'parts' ? content.parts : [];
  const all = parts.flatMap((part) => (part.kind === 'value' ? [part.source] : []));
  if (timestamp?.covered === true && content.kind !== 'http-signature') {
    all.push(timestamp.source);
  }
  return [...new Map(all.map((source) => [JSON.stringify(source), source])).values()];
}

/** The name of a source's value in the code: `timestamp`, `id`, or `value` with its number. */
export function nameOf(scheme: Scheme, source: Source): string {
  const is = (other: Source | undefined): boolean => JSON.stringify(other) === JSON.stringify(source);
  if (is(scheme.timestamp?.source)) {
    return 'timestamp';
  }
  const parts = scheme.content.kind === 'parts' ? scheme.content.parts : [];
  const id = parts.find((part) => part.kind === 'value' && part.role === 'id');
  return id?.kind === 'value' && is(id.source) ? 'id' : `value${sourcesOf(scheme).findIndex(is)}`;
}

/** Whether any part of the content fits. */
export const holds = ({ content }: Scheme, is: (part: Part) => boolean): boolean =>
  content.kind === 'parts' && content.parts.some(is);

/** The algorithm and encoding of a form that is a hash of the body; undefined for other forms. */
export function hashForm(form: BodyForm): { algorithm: string; encoding: string; upper: boolean } | undefined {
  const [match, algorithm = '', encoding = '', upper] =
    /^(sha256|sha512|md5)-(hex|base64|base64url)(-upper)?$/.exec(form) ?? [];
  return match === undefined ? undefined : { algorithm, encoding, upper: upper !== undefined };
}

const tokenPatterns: Readonly<Record<Encoding, string>> = {
  hex: '[0-9A-Fa-f]{64}',
  base64: '[A-Za-z0-9+/_-]{43}=?',
  base64url: '[A-Za-z0-9+/_-]{43}=?',
  'base64-hex': '[A-Za-z0-9+/]{86}==',
};

/** A pattern, for JavaScript and Python, whose first group is the signature in its header. */
export function signaturePattern({ signature: { source, groups }, encoding }: Scheme): string {
  const label = source.in === 'header' ? (source.label ?? '') : '';
  const start = label === '' ? String.raw`(?:^|0x|[\s,;&=:.|_-])` : labelPattern(label);
  const digits = groups === undefined ? '' : `[0-9A-Fa-f]{${groups.every}}`;
  const token =
    groups === undefined
      ? tokenPatterns[encoding]
      : `(?:${digits}${groups.by.replace('.', String.raw`\.`)}){${64 / groups.every - 1}}${digits}`;
  return `${start}(${token})(?![0-9A-Za-z${encoding === 'hex' ? '' : '+/='}])`;
}
