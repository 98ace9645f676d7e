import { at, type Found, isObject, isScalar, parentOf, walk } from '../../common/json.ts';
import { lettersOf } from '../../common/words.ts';
import { standsIn, wordsPattern } from './own-words.ts';
import { isUnguessable } from './unguessable.ts';

/** A record of the run that the body of a create names, and the name of the field. */
interface Reference {
  readonly name: string;
  readonly id: string;
}

/**
 * What a record is recognised by: the fields that have its words or, where it shows none of these, that it names
 * records of the run, and a time that no other call of the run has used.
 */
export interface Fingerprint {
  /** The letters of the names of the fields that were sent with the words. */
  readonly fields?: readonly string[];
  readonly references: readonly Reference[];
  /** Epoch milliseconds. */
  readonly times: readonly number[];
}

/** What a record is told from others by. */
interface Words {
  readonly tag: string;
  readonly fingerprint?: Fingerprint;
}

/**
 * The fingerprint of the record that a body makes. A short id may stand for anything: without a time it says nothing.
 * `isOwn`: whether an id is that of a record of the run.
 */
export function fingerprintOf(isOwn: (id: string) => boolean, body: unknown, tag: string): Fingerprint {
  const leaves = walk(body).filter((found): found is Found & { value: string | number } => isScalar(found.value));
  const times = leaves.flatMap(({ value }) => (isIso(value) ? [Date.parse(value)] : []));
  const references = leaves.flatMap(({ name, value }) => (isOwn(String(value)) ? [{ name, id: String(value) }] : []));
  const worded = leaves.filter(({ value }) => standsIn(String(value), tag));
  return {
    fields: [...new Set(worded.map(({ name }) => lettersOf(name)))],
    references: references.filter(({ id }) => isUnguessable(id) || times.length > 0),
    times,
  };
}

const isIso = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:/.test(value);

/** Whether an answer names one of these records. */
const showsReference = (json: unknown, { references }: Fingerprint): boolean =>
  walk(json).some((found) => references.some((reference) => isSame(found, reference)));

const isSame = ({ name, value, pointer }: Found, reference: Reference): boolean =>
  isScalar(value) &&
  String(value) === reference.id &&
  (isUnguessable(reference.id) ||
    lettersOf(name) === lettersOf(reference.name) ||
    lettersOf(pointer).endsWith(lettersOf(reference.name)));

/** Whether a record shows its words as its own, or else its fingerprint. */
export function isRecognised(record: unknown, words: Words): boolean {
  const { tag, fingerprint } = words;
  const pattern = wordsPattern(tag);
  // A booking may have a name of its own beside its guest's, which was sent.
  const isSent = ({ name, isInList }: Found): boolean => !isInList && wereSent(name, words);
  const isOwn = (one: Found): boolean =>
    typeof one.value === 'string' &&
    pattern.test(one.value) &&
    (isSent(one) || !isBesideOthers(record, one.pointer, words));
  return (
    walk(record).some(isOwn) ||
    (fingerprint !== undefined && showsReference(record, fingerprint) && showsTimes(record, fingerprint))
  );
}

/** Whether a place is within an object that shows other words where these were sent: in the log of another record. */
const isBesideOthers = (root: unknown, pointer: string, words: Words): boolean =>
  pointer !== '' && (showsOthers(at(root, parentOf(pointer)), words) || isBesideOthers(root, parentOf(pointer), words));

const wereSent = (name: string, { fingerprint }: Words): boolean =>
  fingerprint?.fields?.includes(lettersOf(name)) === true;

/** Whether an object shows other words in all of its fields that were sent with these. */
export function showsOthers(object: unknown, words: Words): boolean {
  const texts = Object.entries(isObject(object) ? object : {}).flatMap(([name, value]) =>
    typeof value === 'string' && value !== '' && wereSent(name, words) ? [value] : [],
  );
  return texts.length > 0 && !texts.some((text) => standsIn(text, words.tag));
}

/**
 * Whether a record shows one of the times, and no other time close to them: where one record begins, another may end.
 */
function showsTimes(record: unknown, { times }: Fingerprint): boolean {
  const shown = walk(record).flatMap(({ value }) => instantsOf(value));
  const lasts = Math.max(...times) - Math.min(...times);
  const isOther = (one: number): boolean => !times.includes(one) && times.some((time) => Math.abs(one - time) <= lasts);
  return times.length === 0 || (shown.some((one) => times.includes(one)) && !shown.some(isOther));
}

/** The instants that a value may mean: a number counts seconds or milliseconds. */
const instantsOf = (value: unknown): readonly number[] =>
  typeof value === 'number' ? [value, value * 1000] : isIso(value) ? [Date.parse(value)] : [];
