import { type Found, isScalar, walk } from '../../common/json.ts';
import { lettersOf } from '../../common/words.ts';
import { mentions } from './own-words.ts';
import { isUnguessable } from './unguessable.ts';

/** A record of the run that the body of a create names, and the name of the field. */
interface Reference {
  readonly name: string;
  readonly id: string;
}

/**
 * What a record is recognised by where it shows none of its words: it names records of the run, and a time that no
 * other call of the run has used.
 */
export interface Fingerprint {
  readonly references: readonly Reference[];
  /** Epoch milliseconds. */
  readonly times: readonly number[];
}

/**
 * The fingerprint of the record that a body makes. A short id may stand for anything: without a time it says nothing.
 * `isOwn`: whether an id is that of a record of the run.
 */
export function fingerprintOf(isOwn: (id: string) => boolean, body: unknown): Fingerprint {
  const leaves = walk(body).filter((found): found is Found & { value: string | number } => isScalar(found.value));
  const times = leaves.flatMap(({ value }) => (isIso(value) ? [Date.parse(value)] : []));
  const references = leaves.flatMap(({ name, value }) => (isOwn(String(value)) ? [{ name, id: String(value) }] : []));
  return { references: references.filter(({ id }) => isUnguessable(id) || times.length > 0), times };
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

/** Whether a record shows its words, or else its fingerprint. */
export const isRecognised = (
  record: unknown,
  { tag, fingerprint }: { readonly tag: string; readonly fingerprint?: Fingerprint },
): boolean =>
  mentions(record, tag) ||
  (fingerprint !== undefined && showsReference(record, fingerprint) && showsTimes(record, fingerprint));

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
