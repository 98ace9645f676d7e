import type { BodyForm } from '../read/body-forms.ts';
import { bounds } from '../read/bounds.ts';
import { type BodyPiece, bodyPiece } from '../recipe.ts';
import type { Scene } from '../scene.ts';

/** The hashes that contents usually hold in place of the body. */
const usual: readonly BodyForm[] = ['sha256-hex', 'sha256-base64'];
const all: readonly BodyForm[] = [
  ...usual,
  'sha256-hex-upper',
  'sha256-base64url',
  'sha512-hex',
  'sha512-base64',
  'md5-hex',
  'md5-base64',
];

/**
 * The body's hash in the forms that contents may hold: usual ones, and header values that include a hash (`SHA-256=…`).
 */
export function digestPieces({ delivery, bodies }: Pick<Scene, 'delivery' | 'bodies'>): BodyPiece[] {
  const hashes = all.flatMap((form) => {
    const bytes = bodies.of(form);
    return bytes === undefined ? [] : [{ form, bytes, text: bytes.toString('latin1') }];
  });
  const shown = delivery.headers.slice(0, bounds.headers).flatMap(([, value]): BodyPiece[] => {
    const hash = hashes.find(({ text }) => value.slice(0, bounds.headerLength).includes(text));
    if (hash === undefined) {
      return [];
    }
    const at = value.indexOf(hash.text);
    const literals = [value.slice(0, at), value.slice(at + hash.text.length)];
    const [before, after] = literals.map((text) => (text === '' ? [] : [{ kind: 'literal', text } as const]));
    const parts = [...(before ?? []), { kind: 'body', form: hash.form } as const, ...(after ?? [])];
    return [{ parts, bytes: Buffer.from(value), onlyLast: false }];
  });
  const distinct = new Map<string, BodyPiece>();
  const plain = hashes.filter(({ form }) => usual.includes(form)).map(({ form, bytes }) => bodyPiece(form, bytes));
  for (const piece of [...plain, ...shown.slice(0, 4)]) {
    const key = piece.bytes.toString('latin1');
    distinct.set(key, distinct.get(key) ?? piece);
  }
  return [...distinct.values()];
}
