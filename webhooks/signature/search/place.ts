import { headerValues } from '../delivery.ts';
import type { Token } from '../read/tokens.ts';
import type { Place } from '../scheme.ts';
import { sourceKey } from '../source.ts';
import type { Match, Scene } from './scene.ts';

/** What stands between the parts of a header value that is left out of its template. */
const edge = /^[\s,;&]+|[\s,;&]+$/g;

/** Where a matched token stands, with its value as a template: other tokens left out, the timestamp and itself as words. */
export function placeOf({ token, content }: Match, scene: Scene, secret: string): Place {
  const { source } = token;
  if (source.in !== 'header') {
    return { source, template: '{signature}' };
  }
  const value =
    headerValues(scene.delivery, source.name).find((one) => one.startsWith(token.text, token.at)) ?? token.text;
  if (content.kind === 'jws') {
    return {
      source: { ...source, label: null },
      template: /^Bearer\s/.test(value) ? 'Bearer {signature}' : '{signature}',
    };
  }
  const mates = scene.tokens.filter(
    (one) => one.source.in === 'header' && one.source.name === source.name && one.text !== token.text,
  );
  const list = listOf(token, mates, value);
  return {
    source,
    template: templateOf(value, token, mates, scene, secret),
    ...(list === undefined ? {} : { list }),
    ...(token.groups === undefined ? {} : { groups: token.groups }),
  };
}

/** Timestamp texts that stand inside the header itself, longest first. */
function timesIn(name: string, { ingredients }: Scene): string[] {
  const own = ingredients.seenTimestamps.filter(
    ({ source }) => source.in === 'header' && source.name.toLowerCase() === name.toLowerCase(),
  );
  return own.map(({ text }) => text).sort((a, b) => b.length - a.length);
}

function templateOf(value: string, token: Token, mates: readonly Token[], scene: Scene, secret: string): string {
  let text = value.split(token.text).join('{signature}');
  for (const mate of mates) {
    text = text.replace(`${labelText(mate)}${mate.text}`, '').replace(/([\s,;&])[\s,;&]+/g, '$1');
  }
  for (const time of timesIn(token.source.in === 'header' ? token.source.name : '', scene)) {
    text = text.replace(time, '{timestamp}');
  }
  if (secret !== '') {
    text = text.split(secret).join('…');
  }
  text = text.replace(edge, '');
  return text.length > 200 || !text.includes('{signature}') ? `${labelText(token)}{signature}` : text;
}

/** The character between two signatures of one label, where a value has several. */
function listOf(token: Token, mates: readonly Token[], value: string): Place['list'] {
  const mate = mates.find(
    (one) =>
      one.bytes.length === token.bytes.length &&
      (sourceKey(one.source) === sourceKey(token.source) || labelText(one) === '' || labelText(token) === ''),
  );
  if (mate === undefined) {
    return undefined;
  }
  const second = mate.at > token.at ? mate : token;
  const before = value.slice(0, second.at - labelText(second).length);
  const separator = /([,;])\s*$/.exec(before)?.[1] ?? before.at(-1);
  return separator === ',' || separator === ' ' || separator === ';' ? separator : undefined;
}

const labelText = ({ source }: Token): string => (source.in === 'header' ? (source.label ?? '') : '');
