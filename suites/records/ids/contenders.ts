import { isUnguessable } from '../../reading/unguessable.ts';
import { type Candidate, type Evidence, isNamed, standings } from './evidence.ts';

/** Whether it stands where nothing but the id of the record can stand. */
const isOnlyId = ({ standing }: Candidate): boolean => standings.indexOf(standing) < standings.indexOf('named');

/** Why a candidate cannot be the record's id, or is left out of account. */
const exclusions: readonly ((one: Candidate, evidence: Evidence) => boolean)[] = [
  // A read by it shows another record. Where the row shows it too, the read is wrong.
  ({ read, isInRow }) => read === 'another record' && !isInRow,
  // A read by it finds nothing, though reads take another value.
  ({ read }, { candidates }) => read === 'nothing' && candidates.some((other) => other.read === 'something'),
  // It is the id of what the record refers to.
  ({ isGiven }) => isGiven,
  // It is the id of what other records refer to as well. What Location ends with is the record's own all the same.
  ({ isShared, standing }) => isShared && standing !== 'located',
  // Somebody else's row showed it before the record was created: the deployment gave out an id that was taken.
  ({ isStrangers, standing }) => isStrangers && standing === 'taught',
  // No call may carry it in its path.
  ({ isSecret }) => isSecret,
  // Lists show how a key begins. This is its id only if the answer shows it, too, and a read takes it.
  ({ isBeginning, isInAnswer, read }, { open }) =>
    isBeginning && !(isInAnswer && (read === 'something' || (read === null && open.has('reads')))),
  // The row does not show it, and no field of the record is called so; or the object that shows it may be something
  // else than the record.
  (one, { isAnswerClear, hasRow }) =>
    !one.isInRow && !isOnlyId(one) && (!isAnswerClear || (hasRow && !isNamed(one.standing))),
];

/** The candidates that may be the record's id, the likeliest first. */
export function contendersIn(evidence: Evidence): readonly Candidate[] {
  const own = evidence.candidates.filter((one) => !exclusions.some((excludes) => excludes(one, evidence)));
  const hasNamed = own.some(({ standing }) => isNamed(standing));
  const isAnswered = own.some((one) => one.isInAnswer && one.standing !== 'text');
  // Where a field is called the id, no nested id and no text is one; where the answer shows an id, no text of the row
  // alone is.
  const isLikely = (one: Candidate): boolean =>
    isNamed(one.standing) ||
    one.standing === 'possible' ||
    (!hasNamed && (one.standing === 'nested' || one.isInAnswer || !isAnswered));
  return inOrder(own.filter(isLikely));
}

/** The likeliest first. What is named first counts more than all that comes after it. */
function inOrder(contenders: readonly Candidate[]): readonly Candidate[] {
  const preferences: readonly ((one: Candidate) => boolean)[] = [
    isOnlyId,
    ({ standing }) => isNamed(standing),
    // A small number may be that of a row.
    ({ isInAnswer, id }) => isInAnswer && isUnguessable(id),
    ({ isInAnswer }) => isInAnswer,
    ({ id }) => isUnguessable(id),
  ];
  const rank = (one: Candidate): number => preferences.reduce((sum, prefers) => 2 * sum + Number(prefers(one)), 0);
  const strength = ({ standing }: Candidate): number => standings.indexOf(standing);
  return contenders.toSorted((one, other) => rank(other) - rank(one) || strength(one) - strength(other));
}

const isNumber = (id: string): boolean => /^\d+$/.test(id);
const prefixOf = (id: string): string => /^[a-z]+[_-]/i.exec(id)?.[0] ?? '';

/** Whether two ids have one form: both are numbers, or they are equally long and have the same prefix. */
export const haveOneForm = (one: string, other: string): boolean =>
  [one, other].every(isNumber) || (one.length === other.length && prefixOf(one) === prefixOf(other));

/**
 * Whether it is called the record's id, or the row shows it and either its field may be an id's, or the answer shows it
 * too.
 */
export const isAttested = (one: Candidate): boolean =>
  isNamed(one.standing) || (one.isInRow && (one.isInAnswer || one.standing !== 'text'));

/** Whether no other contender has the same form. */
export const hasNoRival = (one: Candidate, contenders: readonly Candidate[]): boolean =>
  contenders.every((other) => other === one || !haveOneForm(one.id, other.id));

/** Whether no other record can have it: no row of others shows it, and these are all rows, or nobody can guess it. */
export const isNobodyElses = ({ id, isStrangers }: Candidate, { isListWhole }: Evidence): boolean =>
  !isStrangers && (isListWhole || isUnguessable(id));

/** Counters do not differ by so many digits. */
const manyDigits = 6;

/** Whether both ids are numbers, and no counter has given both. */
export const areFarNumbers = (one: string, other: string): boolean =>
  isNumber(one) && isNumber(other) && Math.abs(one.length - other.length) >= manyDigits;
