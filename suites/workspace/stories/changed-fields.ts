import { scalarText, walk } from '../../../common/json.ts';
import { lettersOf, show, unescapedAlphanumeric } from '../../../common/words.ts';
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
const lostLetter = ({ json }: Json): string | undefined =>
  walk(json)
    .map(({ value }) =>
      typeof value === 'string'
        ? /changed: (caf(?:\?|\ufffd|\u00c3\u00a9)|caf\u00e9 & [?\ufffd]tea)/.exec(value)?.[1]
        : undefined,
    )
    .find((shown) => shown !== undefined);

/**
 * The texts of the changed field, under its name: those that a read showed before the change, as far as they are the
 * run's, and those of a later one.
 */
export function textsOf(change: FieldChange) {
  const { record, body, values, later } = change;
  const sent = walk(body).filter(({ value }) => values.some((one) => one === value));
  const names = sent.map(({ name }) => lettersOf(name));
  const shownIn = ({ json }: Json): string[] =>
    valuesOutsideHistory(json).flatMap(({ name, value }) =>
      typeof value === 'string' && names.includes(lettersOf(name)) ? [value] : [],
    );
  return { old: shownIn(viewBefore(change)).filter((text) => mentions(text, record.tag)), now: shownIn(later) };
}

/**
 * Whether reads show the changed field under its name and, after the change, with neither the new text nor the old one.
 * A text as long as the field takes is cut there, and no shorter than the one before.
 */
export function isGarbled(change: FieldChange): boolean {
  const [wanted] = change.values;
  const { old, now } = textsOf(change);
  const isRight = (text: string): boolean =>
    old.some((one) => isSameText(one, text)) ||
    (`${wanted}`.startsWith(text) && old.every((one) => text.length >= one.length));
  return old.length > 0 && missingIn(change.later, change.values).length > 0 && !now.some(isRight);
}

/** Whether the new text stands in the place of another field's text, while the changed field keeps its old one. */
function isMisplaced(change: FieldChange): boolean {
  const [wanted = ''] = change.values;
  const { old, now } = textsOf(change);
  const isKept = now.length > 0 && now.every((text) => old.some((one) => isSameText(one, text)));
  const former = new Map(valuesOutsideHistory(viewBefore(change).json).map(({ pointer, value }) => [pointer, value]));
  return (
    isKept &&
    valuesOutsideHistory(change.later.json).some(({ pointer, value }) => {
      const was = former.get(pointer);
      return holds(value, wanted) && typeof was === 'string' && was !== '' && !holds(was, wanted);
    })
  );
}

/** What is wrong with an accepted change, as a later read shows it, and what that shows; null: nothing. */
export function flawOf(change: FieldChange): { readonly what: string; readonly actual: string } | null {
  const [missing] = missingIn(change.later, change.values);
  if (missing !== undefined) {
    return { what: `not stored as sent, since a later read does not show ${show(missing, 60)}`, actual: 'absent' };
  }
  if (isMisplaced(change)) {
    return { what: 'written to another field, as a later read shows', actual: 'the old text' };
  }
  const lost = lostLetter(change.later);
  const what = `stored without its letters outside ASCII: “café & “tea”” is shown as ${lost}`;
  return lost === undefined ? null : { what, actual: lost };
}
