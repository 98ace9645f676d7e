import { hasValue, walk } from '../../../common/json.ts';
import { isUnguessable } from './unguessable.ts';

/** The words by which a record is found: its id, where it is known, and text that stands in it and in no other. */
export interface Identity {
  readonly id: string | undefined;
  /** Further ids of its own. */
  readonly otherIds?: readonly string[];
  /** What the answer to its create calls an id of it, which paths may take for another record's: it tells rows apart. */
  readonly aliases?: readonly string[];
  readonly tag: string;
}

/** The text as a pattern that means it literally. */
export const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Whether the words stand whole in the text: `run-1` does not stand in `run-12`. */
export const standsIn = (text: string, words: string): boolean => whole(words).test(text);

export const whole = (words: string): RegExp => new RegExp(`(?<![A-Za-z0-9])${escaped(words)}(?![A-Za-z0-9])`, 'i');

/** Whether a string somewhere in the document holds the words. */
export function mentions(root: unknown, words: string): boolean {
  const pattern = whole(words);
  return walk(root).some(({ value }) => typeof value === 'string' && pattern.test(value));
}

/** Whether an answer shows a record anywhere: its id, which a map by id has as a name, and a path at its end, or its words. */
export function showsSomewhere(json: unknown, { id, tag }: Identity): boolean {
  const isNamed = (known: string): boolean => JSON.stringify(json)?.includes(`"${known}":`) === true;
  const shows = (known: string): boolean =>
    hasValue(json, known) || isNamed(known) || (isUnguessable(known) && mentions(json, known));
  return (id !== undefined && shows(id)) || mentions(json, tag);
}
