import type { Part, Source } from '../scheme.ts';
import type { TimeUnit } from './times.ts';

/** A part of signed contents, and its text in one delivery. */
export interface Ingredient {
  readonly part: Part;
  readonly text: string;
}

export const literal = (text: string): Ingredient => ({ part: { kind: 'literal', text }, text });

export const valueAt = (
  role: 'timestamp' | 'id' | 'field',
  source: Source,
  text: string,
  as?: TimeUnit,
): Ingredient => ({ part: { kind: 'value', role, source, ...(as === undefined ? {} : { as }) }, text });

/** The first ingredient with each text, in order, and at most `most` of them. */
export function distinctTexts(all: readonly Ingredient[], most = Number.POSITIVE_INFINITY): Ingredient[] {
  const byText = new Map<string, Ingredient>();
  for (const each of all) {
    if (!byText.has(each.text) && byText.size < most) {
      byText.set(each.text, each);
    }
  }
  return [...byText.values()];
}
