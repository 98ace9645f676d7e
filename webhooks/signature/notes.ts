import { placeKey, type Scheme } from './scheme.ts';
import type { Scene } from './search.ts';

/** Remarks on a scheme, for whoever reads the discovery. */
export const notesOn = (scheme: Scheme, scenes: readonly Scene[], secret: string): string[] => [
  ...timeNotes(scheme, scenes),
  ...(scheme.key.decode.startsWith('sha256')
    ? ['The key is the SHA-256 of the secret: usual verifiers, which use the secret itself, reject it']
    : []),
  ...notesWithoutScheme(scenes, secret),
];

/** Remarks that hold whether or not a scheme was found. */
export function notesWithoutScheme(scenes: readonly Scene[], secret: string): string[] {
  const showing = scenes.flatMap(({ delivery }) =>
    delivery.headers.filter(([, value]) => secret.length >= 8 && value.includes(secret)).map(([name]) => name),
  );
  return [
    ...[...new Set(showing)].map(
      (name) => `Header ${name} carries the secret itself: whoever sees one delivery can sign others`,
    ),
    ...(scenes.length < 2 ? ['One delivery only: another one, with a different body and time, would confirm it'] : []),
  ];
}

function timeNotes({ kind, time }: Scheme, scenes: readonly Scene[]): string[] {
  if (kind !== 'parts' || time !== undefined) {
    return [];
  }
  const unsigned = scenes.flatMap(({ ingredients }) => ingredients.times.flatMap(({ parts }) => parts));
  const place = unsigned.find((part) => part.from === 'header' && !/^date$/i.test(part.name));
  return place?.from === 'header'
    ? [`The time at ${placeKey(place)} is not part of the signed content, so it protects nothing`]
    : ['No time is signed: a delivery that somebody recorded can be sent again at any time'];
}
