import type { Delivery } from './delivery.ts';
import { headerValues } from './delivery.ts';
import type { Place, Source } from './scheme.ts';
import { sourceKey } from './source.ts';
import { findTimestamps } from './timestamps.ts';
import type { Token } from './tokens.ts';

/** What stands between the parts of a header value that is left out of its template. */
const edge = /^[\s,;&]+|[\s,;&]+$/g;

/** Where a matched token stands, with its value as a template: other tokens left out, the timestamp and itself as words. */
export function placeOf(token: Token, delivery: Delivery, tokens: readonly Token[], secret: string): Place {
  const source = token.source;
  if (source.in !== 'header') {
    return { source, template: '{signature}' };
  }
  const value = headerValues(delivery, source.name).find((one) => one.startsWith(token.text, token.at));
  const mates = tokens.filter(
    (one) => one.source.in === 'header' && one.source.name === source.name && one.text !== token.text,
  );
  const list = listOf(token, mates, value ?? '');
  const template = templateOf(value ?? token.text, token, mates, timesIn(delivery, source), secret);
  return { source, template, ...(list === undefined ? {} : { list }) };
}

/** Timestamp texts that stand inside the header itself, longest first. */
function timesIn(delivery: Delivery, source: Source): string[] {
  const own = findTimestamps(delivery).filter(
    (seen) =>
      seen.source.in === 'header' &&
      source.in === 'header' &&
      seen.source.name.toLowerCase() === source.name.toLowerCase(),
  );
  return own.map(({ text }) => text).sort((a, b) => b.length - a.length);
}

function templateOf(
  value: string,
  token: Token,
  mates: readonly Token[],
  times: readonly string[],
  secret: string,
): string {
  let text = value.split(token.text).join('{signature}');
  for (const mate of mates) {
    const label = mate.source.in === 'header' ? (mate.source.label ?? '') : '';
    text = text.replace(`${label}${mate.text}`, '').replace(/([\s,;&])[\s,;&]+/g, '$1');
  }
  for (const time of times) {
    text = text.replace(time, '{timestamp}');
  }
  if (secret !== '') {
    text = text.split(secret).join('…');
  }
  text = text.replace(edge, '');
  const label = token.source.in === 'header' ? (token.source.label ?? '') : '';
  return text.length > 200 || !text.includes('{signature}') ? `${label}{signature}` : text;
}

/** The character between two signatures of one label, where a value has several. */
function listOf(token: Token, mates: readonly Token[], value: string): Place['list'] {
  const mate = mates.find(
    (one) =>
      one.bytes.length === 32 &&
      (sourceKey(one.source) === sourceKey(token.source) || labelText(one) === '' || labelText(token) === ''),
  );
  if (mate === undefined) {
    return undefined;
  }
  const second = mate.at > token.at ? mate : token;
  const before = value.slice(0, second.at - labelText(second).length);
  const separator = before.at(-1);
  if (separator === ' ') {
    return /[,;]\s+$/.test(before) ? (before.trimEnd().at(-1) as ',' | ';') : ' ';
  }
  return separator === ',' || separator === ';' ? separator : undefined;
}

const labelText = ({ source }: Token): string => (source.in === 'header' ? (source.label ?? '') : '');
