import { at, type Found, isObject, isScalar, parentOf, walk } from '../../common/json.ts';
import { lettersOf } from '../../common/words.ts';

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

/** What a record is told from others by. */
interface Words {
  /** Words that are in this record alone. */
  readonly tag: string;
  /** The letters of the names of the fields that were sent with them. */
  readonly fields?: readonly string[];
}

/** The letters of the names of the fields of a body that have the words. */
export const fieldsWith = (body: unknown, tag: string): readonly string[] => {
  const worded = walk(body).filter(({ value }) => isScalar(value) && standsIn(String(value), tag));
  return [...new Set(worded.map(({ name }) => lettersOf(name)))];
};

/** Whether a record shows its words as its own. */
export function isRecognised(record: unknown, words: Words): boolean {
  const pattern = wordsPattern(words.tag);
  // A booking may have a name of its own beside its guest's, which was sent.
  const isSent = ({ name, isInList }: Found): boolean => !isInList && wereSent(name, words);
  return walk(record).some(
    (one) =>
      typeof one.value === 'string' &&
      pattern.test(one.value) &&
      (isSent(one) || !isBesideOthers(record, one.pointer, words)),
  );
}

/** Whether a place is within an object that shows other words where these were sent: in the log of another record. */
const isBesideOthers = (root: unknown, pointer: string, words: Words): boolean =>
  pointer !== '' && (showsOthers(at(root, parentOf(pointer)), words) || isBesideOthers(root, parentOf(pointer), words));

const wereSent = (name: string, { fields = [] }: Words): boolean => fields.includes(lettersOf(name));

/** Whether an object shows other words in all of its fields that were sent with these. */
export function showsOthers(object: unknown, words: Words): boolean {
  const texts = Object.entries(isObject(object) ? object : {}).flatMap(([name, value]) =>
    typeof value === 'string' && value !== '' && wereSent(name, words) ? [value] : [],
  );
  return texts.length > 0 && !texts.some((text) => standsIn(text, words.tag));
}

/** Whether a record shows a time that was sent. */
export function showsTimeOf(record: unknown, body: unknown): boolean {
  const sent = instantsIn(body);
  return instantsIn(record).some((one) => sent.includes(one));
}

/** The instants that a document may mean: a number counts seconds or milliseconds since 1970. */
const instantsIn = (json: unknown): readonly number[] =>
  walk(json).flatMap(({ value }) => {
    const isIso = typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:/.test(value);
    return isIso ? [Date.parse(value)] : typeof value === 'number' && value > 1e9 ? [value, value * 1000] : [];
  });
