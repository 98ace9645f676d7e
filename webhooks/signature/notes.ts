import { bounds } from './bounds.ts';
import { headerValues } from './delivery.ts';
import { placeKey, type Scheme } from './scheme.ts';
import type { Scene } from './search.ts';
import { readTime } from './times.ts';

/** If the time of sending is further from receipt, there is a note. */
const toleratedMs = 60_000;

/** Remarks on a scheme, for whoever reads the discovery. */
export const notesOn = (scheme: Scheme, scenes: readonly Scene[], secret: string): string[] => [
  ...timeNotes(scheme, scenes),
  ...(scheme.key.decode.startsWith('sha256')
    ? ['The key is the SHA-256 of the secret: usual verifiers, which use the secret itself, reject it']
    : []),
  ...(scenes.every(({ delivery }) => delivery.body.length === 0)
    ? ['Every body is empty, so it is unknown whether the body is signed']
    : []),
  ...notesWithoutScheme(scenes, secret),
];

/** Remarks that hold whether or not a scheme was found. */
export function notesWithoutScheme(scenes: readonly Scene[], secret: string): string[] {
  const notes = new Set<string>();
  for (const { delivery } of scenes) {
    for (const [name, value] of delivery.headers) {
      if (secret.length >= 8 && value.includes(secret)) {
        notes.add(`Header ${name} carries the secret itself: whoever sees one delivery can sign others`);
      }
    }
  }
  if (scenes.length < 2) {
    notes.add('One delivery only: another one, with a different body, id and time, would confirm it');
  }
  return [...notes];
}

function timeNotes({ kind, time }: Scheme, scenes: readonly Scene[]): string[] {
  if (kind !== 'parts') {
    return [];
  }
  if (time === undefined) {
    const unsigned = scenes.flatMap(({ ingredients }) => ingredients.times.flatMap(({ parts }) => parts));
    const place = unsigned.find((part) => part.from === 'header' && !/^date$/i.test(part.name));
    return place?.from === 'header'
      ? [`The time at ${placeKey(place)} is not part of the signed content, so it protects nothing`]
      : ['No time is signed: a delivery that somebody recorded can be sent again at any time'];
  }
  const far = scenes.flatMap(({ delivery }) => {
    const whole = time.from === 'header' ? (headerValues(delivery, time.name)[0] ?? '') : '';
    const value = whole.slice(0, bounds.headerLength);
    const [text] = /\d{4}-\d\d-\d\dT[^\s,;]+|\d{10,13}|[A-Z][a-z]{2}, [^,]{0,30} GMT/.exec(value) ?? [];
    const read = text === undefined ? undefined : readTime(text);
    return read !== undefined && Math.abs(read.at - delivery.receivedAt) > toleratedMs
      ? [Math.round((delivery.receivedAt - read.at) / 1_000)]
      : [];
  });
  return far.length === 0 ? [] : [`The time at ${placeKey(time)} is ${far.join(', ')} seconds away from receipt`];
}
