import { type Found, scalarText, walk } from '../../../common/json.ts';
import { lettersOf, unescapedAlphanumeric } from '../../../common/words.ts';
import { mentions } from '../../reading/own-words.ts';
import { type Answer, isSuccess } from '../../session/call.ts';
import type { Created } from '../records/creating.ts';
import { valuesOutsideHistory } from './history.ts';

export type Plain = string | number | boolean;

/** The body of a PATCH, and the values that a later read should show. */
export interface Edit {
  readonly body: unknown;
  readonly values: readonly Plain[];
}

type Json = Pick<Answer, 'json'>;

/** A change, as far as it says what became of its field. */
interface FieldChange extends Edit {
  readonly record: Pick<Created, 'tag'> & { readonly answer: Json };
  readonly before: Pick<Answer, 'json' | 'status'>;
  readonly later: Json;
}

/**
 * What shows a record before its change: a read of it. The answer to its create may show whatever was sent, and shows
 * the record only where it cannot be read.
 */
export const viewBefore = ({ record, before }: Pick<FieldChange, 'record' | 'before'>): Json =>
  isSuccess(before) ? before : record.answer;

/** Those of the values that a record does not show, its history left out. */
export function missingIn({ json }: Json, values: readonly Plain[]): readonly Plain[] {
  const shown = valuesOutsideHistory(json);
  return values.filter((wanted) => !shown.some(({ value }) => holds(value, wanted)));
}

/** Whether a value is the wanted one or, as a text, contains it. A deployment may clean, escape and fold texts. */
export const holds = (value: unknown, wanted: Plain): boolean =>
  typeof wanted === 'string'
    ? typeof value === 'string' && comparable(value).includes(comparable(wanted))
    : scalarText(value) === scalarText(wanted);

/** Whether two texts are the same, however a deployment has cleaned, escaped or folded one of them. */
export const isSameText = (one: string, other: string): boolean => comparable(one) === comparable(other);

const comparable = (text: string): string => unescapedAlphanumeric(text) || text;

/** What edits append to the record's words: as people write, and then in plain letters, which deployments keep. */
export const [richSuffix, plainSuffix] = [' changed: café & “tea” 🙂', ' changed'];

/**
 * What of it is outside ASCII, or outside Latin-1 alone, as deployments show it that have lost it: `caf?`, `cafÃ©`,
 * `café & ?tea`.
 */
export const lostLetter = ({ json }: Json): string | undefined =>
  walk(json)
    .map(({ value }) =>
      typeof value === 'string'
        ? /changed: (caf(?:\?|\ufffd|\u00c3\u00a9)|caf\u00e9 & [?\ufffd]tea)/.exec(value)?.[1]
        : undefined,
    )
    .find((shown) => shown !== undefined);

/** The names of the fields that a change changes. */
const changedNames = ({ body, values }: Edit): string[] =>
  walk(body).flatMap(({ name, value }) => (values.some((one) => one === value) ? [lettersOf(name)] : []));

/** A text in a document, and where it is. */
interface TextAt extends Found {
  readonly value: string;
}

const textsIn = ({ json }: Json): readonly TextAt[] =>
  valuesOutsideHistory(json).filter((found): found is TextAt => typeof found.value === 'string');

/**
 * What became of the field that a change names: it shows the new text; it shows the old one; it is `garbled`, since it
 * shows neither; its text went into the `wrong field`, which had another text before. `unknown`: reads show it under
 * another name or, before the change, not at all.
 */
type ChangeEffect = 'new' | 'old' | 'garbled' | 'wrong field' | 'unknown' | 'not shown';

/** What became of the changed field, as a read after the change shows it. `not shown`: no read before it showed it. */
export function effectOf(change: FieldChange): ChangeEffect {
  const { record, later, values } = change;
  const [wanted] = values;
  const names = changedNames(change);
  const isChanged = ({ name }: TextAt): boolean => names.includes(lettersOf(name));
  const shownBefore = textsIn(viewBefore(change));
  const old = shownBefore.filter((one) => isChanged(one) && mentions(one.value, record.tag));
  if (typeof wanted !== 'string' || old.length === 0) {
    return 'not shown';
  }
  const shownLater = textsIn(later);
  const field = shownLater.filter(isChanged);
  const isNew = ({ value }: TextAt): boolean => holds(value, wanted);
  const isOld = ({ value }: TextAt): boolean => old.some((one) => isSameText(one.value, value));
  if (field.some(isNew)) {
    return 'new';
  }
  const was = new Map(shownBefore.map(({ pointer, value }) => [pointer, value]));
  const hadOtherText = ({ pointer, value }: TextAt): boolean => ![undefined, '', value].includes(was.get(pointer));
  const others = shownLater.filter((one) => !isChanged(one) && isNew(one));
  if (others.length > 0) {
    return field.some(isOld) && others.some(hadOtherText) ? 'wrong field' : 'unknown';
  }
  // A text as long as the field takes is cut there, and no shorter than the one before.
  const isFull = ({ value }: TextAt): boolean =>
    wanted.startsWith(value) && old.every((one) => value.length >= one.value.length);
  return field.some(isOld) ? 'old' : field.some(isFull) ? 'unknown' : 'garbled';
}
