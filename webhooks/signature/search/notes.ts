import { bodyFormOf } from '../content.ts';
import { readTime } from '../read/times.ts';
import type { Scene } from '../scene.ts';
import type { Scheme } from '../scheme.ts';
import { sourceKey, textAt } from '../source.ts';

/** If the time of sending is further from receipt, there is a note. */
const toleratedMs = 60_000;

/** Remarks on a scheme, for whoever reads the discovery. */
export function notesOn(scheme: Scheme, scenes: readonly Scene[], secret: string): string[] {
  return [
    ...timestampNotes(scheme, scenes),
    ...keyNotes(scheme),
    ...bodyNotes(scheme, scenes),
    ...notesWithoutScheme(scenes, secret),
  ];
}

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

function timestampNotes(scheme: Scheme, scenes: readonly Scene[]): string[] {
  const { timestamp } = scheme;
  if (scheme.content.kind === 'jws') {
    return [];
  }
  if (timestamp === undefined) {
    return ['No timestamp is signed: a delivery that somebody recorded can be sent again at any time'];
  }
  const place = sourceKey(timestamp.source);
  if (!timestamp.covered) {
    return [`The timestamp at ${place} is not part of the signed content, so it protects nothing`];
  }
  const far = scenes.flatMap(({ delivery, bodies }) => {
    const read = readTime(textAt(timestamp.source, delivery, bodies.parsed) ?? '');
    return read !== undefined && Math.abs(read.at - delivery.receivedAt) > toleratedMs
      ? [Math.round((delivery.receivedAt - read.at) / 1_000)]
      : [];
  });
  return far.length === 0 ? [] : [`The timestamp at ${place} is ${far.join(', ')} seconds away from receipt`];
}

function keyNotes(scheme: Scheme): string[] {
  if (!scheme.key.decode.startsWith('sha256')) {
    return [];
  }
  return ['The key is the SHA-256 of the secret: usual verifiers, which use the secret itself, reject it'];
}

function bodyNotes(scheme: Scheme, scenes: readonly Scene[]): string[] {
  const form = bodyFormOf(scheme);
  const empty = scenes.every(({ delivery }) => delivery.body.length === 0);
  return empty && form !== undefined ? ['Every body is empty, so it is unknown whether the body is signed'] : [];
}
