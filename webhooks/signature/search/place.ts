import { headerValues } from '../delivery.ts';
import type { Token } from '../read/tokens.ts';
import type { Match, Scene } from '../scene.ts';
import type { Place } from '../scheme.ts';
import { labelOf, sourceKey } from '../source.ts';

/** Separators at the ends of a header's value, which a template leaves out. */
const edge = /^[\s,;&]+|[\s,;&]+$/g;

/** The place of a matched token, with its value as a template, in which other tokens are left out. */
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
  const otherTokens = scene.tokens.filter(
    (one) => one.source.in === 'header' && one.source.name === source.name && one.text !== token.text,
  );
  const list = listOf(token, otherTokens, value);
  return {
    source,
    template: templateOf(value, token, otherTokens, scene, secret),
    ...(list === undefined ? {} : { list }),
    ...(token.groups === undefined ? {} : { groups: token.groups }),
  };
}

/** The timestamps in a header, longest first. */
function timesIn(name: string, { ingredients }: Scene): string[] {
  const own = ingredients.seenTimestamps.filter(
    ({ source }) => source.in === 'header' && source.name.toLowerCase() === name.toLowerCase(),
  );
  return own.map(({ text }) => text).sort((a, b) => b.length - a.length);
}

function templateOf(value: string, token: Token, otherTokens: readonly Token[], scene: Scene, secret: string): string {
  let text = value.split(token.text).join('{signature}');
  for (const other of otherTokens) {
    text = text.replace(`${labelOf(other.source)}${other.text}`, '').replace(/([\s,;&])[\s,;&]+/g, '$1');
  }
  for (const time of timesIn(token.source.in === 'header' ? token.source.name : '', scene)) {
    text = text.replace(time, '{timestamp}');
  }
  if (secret !== '') {
    text = text.split(secret).join('…');
  }
  text = text.replace(edge, '');
  return text.length > 200 || !text.includes('{signature}') ? `${labelOf(token.source)}{signature}` : text;
}

/** The separator between two signatures with one label; undefined if the value has only one signature. */
function listOf(token: Token, otherTokens: readonly Token[], value: string): Place['list'] {
  const other = otherTokens.find(
    (one) =>
      one.bytes.length === token.bytes.length &&
      (sourceKey(one.source) === sourceKey(token.source) || labelOf(one.source) === '' || labelOf(token.source) === ''),
  );
  if (other === undefined) {
    return undefined;
  }
  const second = other.at > token.at ? other : token;
  const before = value.slice(0, second.at - labelOf(second.source).length);
  const separator = /([,;])\s*$/.exec(before)?.[1] ?? before.at(-1);
  return separator === ',' || separator === ' ' || separator === ';' ? separator : undefined;
}
