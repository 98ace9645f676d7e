import { walk } from '../../common/json.ts';

/** What a record is found by: its id, where that is known, and text that is in this record alone. */
export interface Identity {
  readonly id: string | undefined;
  readonly tag: string;
}

/** Longer texts are neither words nor ids. RegExp cannot hold a megabyte. */
const longestPattern = 10_000;

/** The text as a pattern that means it literally; a pattern that nothing matches for a text that is too long. */
export const escaped = (text: string): string =>
  text.length > longestPattern ? '(?!)' : text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Finds the words as a whole, in any spelling: `Run_1` is `run-1`, and `run-12` is not. */
export function wordsPattern(words: string): RegExp {
  const pieces = words.length > longestPattern ? [] : words.split(/[^a-z0-9]+/i).filter((piece) => piece !== '');
  const text = pieces.length === 0 ? '(?!)' : pieces.join('[^a-z0-9]*');
  return new RegExp(`(?<![a-z0-9])${text}(?![a-z0-9])`, 'i');
}

/** Whether a text holds the words as a whole. */
export const standsIn = (text: string, words: string): boolean => wordsPattern(words).test(text);

/** Whether a string somewhere in the document holds the words. */
export function mentions(root: unknown, words: string): boolean {
  const pattern = wordsPattern(words);
  return walk(root).some(({ value }) => typeof value === 'string' && pattern.test(value));
}
