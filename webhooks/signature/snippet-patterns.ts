import type { Encoding, Scheme, Source } from './scheme.ts';
import { boundary, escapePattern, labelledValue } from './source.ts';

/** The sources of a scheme's content and timestamp, each once. */
export function sourcesOf(scheme: Scheme): Source[] {
  const parts = scheme.content.kind === 'parts' ? scheme.content.parts : [];
  const all = parts.flatMap((part) => (part.kind === 'value' ? [part.source] : []));
  if (scheme.timestamp?.covered === true) {
    all.push(scheme.timestamp.source);
  }
  return [...new Map(all.map((source) => [JSON.stringify(source), source])).values()];
}

/** The name that a source's value has in a snippet: timestamp, id, or its number among the values. */
export function nameOf(scheme: Scheme, source: Source): string {
  const is = (other: Source | undefined): boolean => JSON.stringify(other) === JSON.stringify(source);
  if (is(scheme.timestamp?.source)) {
    return 'timestamp';
  }
  const ids =
    scheme.content.kind === 'parts'
      ? scheme.content.parts.filter((part) => part.kind === 'value' && part.role === 'id')
      : [];
  if (ids[0]?.kind === 'value' && is(ids[0].source)) {
    return 'id';
  }
  return `value${sourcesOf(scheme).findIndex(is)}`;
}

const tokenPatterns: Readonly<Record<Encoding, string>> = {
  hex: '[0-9A-Fa-f]{64}',
  base64: '[A-Za-z0-9+/]{43}=?',
  base64url: '[A-Za-z0-9_-]{43}=?',
  'base64-hex': '[A-Za-z0-9+/]{86}==',
};

/** A pattern, for JavaScript and Python alike, whose first group is a signature of the scheme inside its header. */
export function signaturePattern({ signature, encoding }: Scheme): string {
  const label = signature.source.in === 'header' ? (signature.source.label ?? '') : '';
  const start = label === '' ? String.raw`(?:^|0x|[\s,;&=:.|_-])` : `${boundary}${escapePattern(label)}`;
  return `${start}(${tokenPatterns[encoding]})(?![0-9A-Za-z+/_=-])`;
}

/** A pattern whose first group is the value behind a label. */
export const valuePattern = (label: string): string => `${boundary}${escapePattern(label)}${labelledValue}`;

/** Python that decodes base64 of either alphabet, padded or not. */
export const decodeBase64 = (text: string): string =>
  `base64.urlsafe_b64decode(${text}.rstrip("=").translate({43: 45, 47: 95}) + "=" * (-len(${text}.rstrip("=")) % 4))`;
