import { type Found, scalarText, walk } from '../../../common/json.ts';
import { lettersOf, unescapedAlphanumeric } from '../../../common/words.ts';
import { mentions } from '../../reading/own-words.ts';
import { type Answer, isSuccess } from '../../session/answer.ts';
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

/** Whether a value is shown anywhere. A deployment may change the case and the white space of texts. */
export const shows = (root: unknown, wanted: Plain): boolean => walk(root).some(({ value }) => holds(value, wanted));

/** Whether a shown value is the wanted one or, as a text, contains it. */
const holds = (value: unknown, wanted: Plain): boolean =>
  typeof wanted === 'string'
    ? typeof value === 'string' && tidy(value).includes(tidy(wanted))
    : scalarText(value) === scalarText(wanted);

/** A text in lower case, with single blanks. */
export const tidy = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim();

/** The names of the fields that a change changes. */
const changedNames = ({ body, values }: Edit): string[] =>
  walk(body).flatMap(({ name, value }) => (values.some((one) => one === value) ? [lettersOf(name)] : []));

/** Whether the record showed the changed field before: a deployment may leave out fields that it does not know. */
export function wasShownBefore(change: Omit<FieldChange, 'later'>): boolean {
  const names = changedNames(change);
  return walk(viewBefore(change).json).some(
    ({ name, value }) => names.includes(lettersOf(name)) && mentions(value, change.record.tag),
  );
}

/** A text in a document, and where it is. */
interface TextAt extends Found {
  readonly value: string;
}

const textsIn = ({ json }: Json): readonly TextAt[] =>
  valuesOutsideHistory(json).filter((found): found is TextAt => typeof found.value === 'string');

/**
 * What became of the field that a change names: it shows the new text; it shows the old one; it is `garbled`, since it
 * shows neither; its text went into the `wrong field`, which had another text before. `unknown`: no read showed it.
 */
type ChangeEffect = 'new' | 'old' | 'garbled' | 'wrong field' | 'unknown';

/** What became of the changed field, as a read after the change shows it. */
export function effectOf(change: FieldChange): ChangeEffect {
  const { record, later, values } = change;
  const [wanted] = values;
  const names = changedNames(change);
  const isChanged = ({ name }: TextAt): boolean => names.includes(lettersOf(name));
  const shownBefore = textsIn(viewBefore(change));
  const old = shownBefore.filter((one) => isChanged(one) && mentions(one.value, record.tag));
  if (typeof wanted !== 'string' || old.length === 0) {
    return 'unknown';
  }
  const shownLater = textsIn(later);
  const field = shownLater.filter(isChanged);
  const isNew = ({ value }: TextAt): boolean => unescapedAlphanumeric(value).includes(unescapedAlphanumeric(wanted));
  const isOld = ({ value }: TextAt): boolean =>
    old.some((one) => unescapedAlphanumeric(one.value) === unescapedAlphanumeric(value));
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

/**
 * How the letters outside ASCII of a text come back, where the deployment has lost them: `cafÃ©`, `caf?` or `caf\ufffd`.
 * Null where the text is kept, or not shown at all.
 */
export function garblingOf({ json }: Json, wanted: Plain): string | null {
  // All of the text before the letter: `d?` alone may be in any text.
  const [, before, letter] = typeof wanted === 'string' ? (/^(.*?\w)([\u00c0-\u00ff])/s.exec(wanted) ?? []) : [];
  if (before === undefined || letter === undefined) {
    return null;
  }
  const forms: readonly (readonly [string, string])[] = [
    [Buffer.from(letter).toString('latin1'), 'as UTF-8 read as Latin-1'],
    ['?', `with ? for ${letter}`],
    ['\ufffd', `with U+FFFD for ${letter}`],
  ];
  return forms.find(([form]) => shows(json, before + form))?.[1] ?? null;
}
