import { isUnguessable } from '../../session/reading/unguessable.ts';
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
  return inOrder(own.filter(isLikely), evidence);
}

/** The likeliest first. What is named first counts more than all that comes after it. */
function inOrder(contenders: readonly Candidate[], evidence: Evidence): readonly Candidate[] {
  const like = likeConfirmed(contenders, evidence)?.contender;
  const { confirmedId } = evidence;
  const preferences: readonly ((one: Candidate) => boolean)[] = [
    (one) => one === like,
    ({ confirmedHas }) => confirmedHas !== 'other',
    isOnlyId,
    // A number beside an id that is written like the confirmed record's is the number of a row.
    ({ id }) => confirmedId !== null && areWrittenAlike(id, confirmedId),
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

/** Whether another field's id is written like that of the confirmed record, and this one is not: it may number the rows. */
export const isAnotherLikeConfirmed = (
  one: Candidate,
  contenders: readonly Candidate[],
  { confirmedId }: Evidence,
): boolean =>
  confirmedId !== null &&
  !areWrittenAlike(one.id, confirmedId) &&
  contenders.some(({ standing, id }) => isNamed(standing) && areWrittenAlike(id, confirmedId));

/** Whether no other record can have it: no row of others shows it, and these are all rows, or nobody can guess it. */
export const isNobodyElses = ({ id, isStrangers }: Candidate, { isListWhole }: Evidence): boolean =>
  !isStrangers && (isListWhole || isUnguessable(id));

/** A contender to which the confirmed record points. */
interface Likeness {
  readonly contender: Candidate;
  /** The confirmed record has something in the places of all contenders, so that its read has chosen among them. */
  readonly isClear: boolean;
}

/**
 * The only contender in the place where the confirmed record has its id. Where only one of the two ids is a number, the
 * place may hold the numbers of rows: then it is the only contender that is written like the confirmed record's id, unless
 * that record has something else in that one's place. An id of letters and digits may be a number by accident.
 */
export function likeConfirmed(contenders: readonly Candidate[], { confirmedId }: Evidence): Likeness | undefined {
  const contender = onlyOf(contenders, ({ confirmedHas }) => confirmedHas === 'id');
  if (confirmedId === null || contender === undefined) {
    return undefined;
  }
  const other = areWrittenAlike(contender.id, confirmedId)
    ? contender
    : onlyOf(contenders, ({ id }) => areWrittenAlike(id, confirmedId));
  if (other === contender || other?.confirmedHas === 'other') {
    return { contender, isClear: contenders.every(({ confirmedHas }) => confirmedHas !== null) };
  }
  return other && { contender: other, isClear: true };
}

function onlyOf(contenders: readonly Candidate[], isOne: (one: Candidate) => boolean): Candidate | undefined {
  const [only, ...more] = contenders.filter(isOne);
  return more.length === 0 ? only : undefined;
}

/** Counters do not differ by so many digits. */
const manyDigits = 6;

/** Whether both ids are numbers, and no counter has given both. */
export const areFarNumbers = (one: string, other: string): boolean =>
  isNumber(one) && isNumber(other) && Math.abs(one.length - other.length) >= manyDigits;

/** Whether both ids are words, or both are numbers of about the same length. */
const areWrittenAlike = (one: string, other: string): boolean =>
  isNumber(one) === isNumber(other) && !areFarNumbers(one, other);
