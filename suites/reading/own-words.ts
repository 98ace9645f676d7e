import { hasValue, isScalar, scalarText, walk } from '../../common/json.ts';
import { alphanumeric } from '../../common/words.ts';
import { isUnguessable } from './unguessable.ts';

/** What a record is found by: its id, where that is known, and text that is in this record alone. */
export interface Identity {
  readonly id: string | undefined;
  /**
   * What the answer to its create calls an id of it. In a path this may name another record; in a row it shows whose
   * row it is.
   */
  readonly aliases?: readonly string[];
  /** Names of the fields in which the answer to its create shows its id. */
  readonly idNames?: readonly string[];
  readonly tag: string;
}

/** Longer texts are neither words nor ids. RegExp cannot hold a megabyte. */
const longestPattern = 10_000;

/** The text as a pattern that means it literally; a pattern that nothing matches for a text that is too long. */
export const escaped = (text: string): string =>
  text.length > longestPattern ? '(?!)' : text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Finds the words as a whole: `run-1` is not in `run-12`. */
export const wordsPattern = (words: string): RegExp =>
  new RegExp(`(?<![A-Za-z0-9])${escaped(words)}(?![A-Za-z0-9])`, 'i');

/** Finds the words as a whole in any spelling: `run_1` and `Run 1` for `run-1`. */
const spelledPattern = (words: string): RegExp =>
  new RegExp(`(?<![a-z0-9])${words.split(/[^a-z0-9]+/i).join('[^a-z0-9]*')}(?![a-z0-9])`, 'i');

/** Whether a string somewhere in the document holds the words in any spelling. */
export const mentionsSpelled = (root: unknown, words: string): boolean => {
  const pattern = spelledPattern(words);
  return walk(root).some(({ value }) => typeof value === 'string' && pattern.test(value));
};

/** Whether a string somewhere in the document is the words, in any spelling, and nothing else. */
export const hasSpelled = (root: unknown, words: string): boolean =>
  walk(root).some(({ value }) => typeof value === 'string' && alphanumeric(value) === alphanumeric(words));

/** Whether a text holds the words as a whole. */
export const standsIn = (text: string, words: string): boolean => wordsPattern(words).test(text);

/** Whether a string somewhere in the document holds the words. */
export function mentions(root: unknown, words: string): boolean {
  const pattern = wordsPattern(words);
  return walk(root).some(({ value }) => typeof value === 'string' && pattern.test(value));
}

/**
 * Whether a document shows a record anywhere: by its words, or by its id as a value, as a name in a map, or at the end
 * of a path. A guessable id may be another record's: the path has to name the kind of the record before it.
 */
export function showsSomewhere(json: unknown, { id, tag }: Identity, noun: string): boolean {
  const isNamed = (known: string): boolean => JSON.stringify(json)?.includes(`"${known}":`) === true;
  const endsPath = (known: string): boolean => {
    const path = new RegExp(`(^|/)${escaped(noun)}s?/${escaped(known)}/?$`, 'i');
    return walk(json).some(({ value }) => typeof value === 'string' && path.test(value));
  };
  const shows = (known: string): boolean =>
    hasValue(json, known) ||
    isInListOfIds(json, known) ||
    isNamed(known) ||
    endsPath(known) ||
    (isUnguessable(known) && mentions(json, known));
  return (id !== undefined && shows(id)) || mentions(json, tag);
}

/** Whether a document that lists no objects lists texts or numbers, each once, and this id among them. */
const isInListOfIds = (json: unknown, id: string): boolean =>
  walk(json).some(({ value, isInList }) => {
    const texts = Array.isArray(value) && !isInList && value.every(isScalar) ? value.map(scalarText) : [];
    return texts.includes(id) && new Set(texts).size === texts.length;
  });
