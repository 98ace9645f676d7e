import { hasValue, isObject, pointerNames, scalarText, walk } from '../../../../common/json.ts';
import { lettersOf } from '../../../../common/words.ts';
import { mentions } from '../../../reading/own-words.ts';
import type { Body } from '../../../records/bodies.ts';
import type { Answer } from '../../../session/answer.ts';
import type { Attempt } from '../records/create.ts';
import { valuesOutsideHistory } from './history.ts';

export type Plain = string | number | boolean;

/** A change of a record: the body of a PATCH, and the values that a later read should show. */
export interface Change {
  readonly body: unknown;
  readonly values: readonly Plain[];
}

/** What a change appends to the record's words: as people write, and in plain letters, which every deployment keeps. */
const richSuffix = ' changed: café & “tea” 🙂';
const plainSuffix = ' changed';

const changedText = (text: string, tag: string, suffix: string): string =>
  text.includes('@') ? text.replace('@', '.changed@') : text.replace(tag, tag + suffix);

/** A text reduced to letters, digits and the plainest signs: a deployment may store others in another form. */
export const plain = (text: string): string =>
  text
    .replace(/[^\w\s@.,:()+-]/g, '')
    .replace(/\s+/g, ' ')
    .trim();

type TextField = readonly [name: string, text: string];

/**
 * The changes to try on a record, likeliest first. Each changes one text that was sent with the record's words in it.
 * Fields that the views show under their own name come first, then those whose text the views show: a deployment may
 * leave out fields that it does not know, and one text may have been sent under several names. The likeliest, and the
 * longest text, are changed as people write, then plainly.
 */
export function changesOf(
  { fields, tag, id }: Pick<Attempt, 'fields' | 'tag' | 'id'>,
  views: readonly unknown[],
): Change[] {
  const texts = Object.entries(fields).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && mentions(entry[1], tag),
  );
  const isNamed = ([name]: TextField): boolean => views.some((view) => showsAs(view, name, tag));
  const isShown = ([, text]: TextField): boolean => views.some((view) => shows(view, text));
  // A field that was sent in two spellings is known by the one that views show. Long texts come last among the named
  // ones: they are what a change of another field might wipe.
  const isSpelled = ([name]: TextField): boolean =>
    views.some((view) => walk(view).some((found) => found.name === name && mentions(found.value, tag)));
  const proseRank = ([, text]: TextField): number => Number(text.length > 100);
  const rank = (field: TextField): number => 2 * Number(!isSpelled(field)) + proseRank(field);
  const named = texts.filter(isNamed).sort((a, b) => rank(a) - rank(b));
  const shown = texts.filter((field) => isNamed(field) || isShown(field));
  const [first, ...others] = new Set<TextField>([...named, ...shown, ...texts]);
  const likeliest = [first, others[0]].filter((field) => field !== undefined);
  // Where names may not be changed, notes often may.
  const proseFirst = [...others].sort((a, b) => proseRank(b) - proseRank(a));
  const richly = ([name, text]: TextField): Change => changeOf(name, changedText(text, tag, richSuffix));
  const plainly = ([name, text]: TextField): Change => changeOf(name, plain(changedText(text, tag, plainSuffix)));
  const sentObjects = changesOfSentObjects(fields, tag);
  const isShownInPlace = ({ names }: ObjectChange): boolean =>
    views.some((view) => walk(view).some(({ pointer, value }) => endsIn(pointer, names) && mentions(value, tag)));
  // A deployment may show what it was sent in an object outside of it.
  const isShownOutside = ({ names }: ObjectChange): boolean =>
    views.some((view) => showsAs(view, names.at(-1) ?? '', tag));
  const ofObjects = [
    ...sentObjects.filter(isShownOutside),
    ...sentObjects.filter((change) => !isShownOutside(change)),
    ...views.flatMap((view) => changesOfShownObjects(view, { tag, id })),
  ];
  return [
    // A text that shows in the object where it was sent is surely kept there.
    ...sentObjects.filter(isShownInPlace).slice(0, 1),
    ...likeliest.map(richly),
    ...likeliest.slice(0, 1).map(plainly),
    // Where all texts were sent in an object, each of them may be one that the deployment does not know.
    ...ofObjects.slice(0, texts.length > 0 ? 1 : undefined),
    ...proseFirst
      .slice(0, 1)
      .filter((field) => !likeliest.includes(field))
      .map(richly),
    ...proseFirst.map(plainly),
  ];
}

const changeOf = (name: string, text: string): Change => ({ body: { [name]: text }, values: [text] });

interface ObjectChange extends Change {
  /** The names that lead to the changed text. */
  readonly names: readonly string[];
}

const endsIn = (pointer: string, names: readonly string[]): boolean =>
  pointerNames(pointer).slice(-names.length).join('/') === names.join('/');

/** Changes of texts in objects that were sent. Each sends the whole object, since the deployment may replace it. */
function changesOfSentObjects(fields: Body, tag: string): ObjectChange[] {
  const texts = walk(fields).filter(
    ({ depth, isInList, value }) => depth > 1 && !isInList && typeof value === 'string' && mentions(value, tag),
  );
  return texts.map(({ pointer, value }) => {
    const names = pointerNames(pointer);
    const [field = ''] = names;
    const text = plain(changedText(scalarText(value) ?? '', tag, plainSuffix));
    return { names, body: { [field]: withText(fields, names, text)[field] }, values: [text] };
  });
}

/** The fields with another text where the names lead. */
const withText = (fields: Body, [name = '', ...rest]: readonly string[], text: string): Body => ({
  ...fields,
  [name]: rest.length === 0 ? text : withText(fields[name] as Body, rest, text),
});

/**
 * Changes of texts in objects that a view shows, such as an agent's configuration. An object that contains the record's
 * id or goes by it is the record itself; so is one in a list, and one with the name of a wrapper.
 */
function changesOfShownObjects(view: unknown, { tag, id }: Pick<Attempt, 'tag' | 'id'>): Change[] {
  const isRecord = (value: unknown): boolean => id !== undefined && (mentions(value, id) || hasValue(value, id));
  const objects = valuesOutsideHistory(view).filter(
    ({ name, value, depth }) => isObject(value) && depth > 0 && !/^\d+$/.test(name) && name !== id && !isRecord(value),
  );
  return objects.flatMap(({ name, value }) => {
    const [field, text] =
      Object.entries(value as Body).find(([, one]) => typeof one === 'string' && mentions(one, tag)) ?? [];
    if (field === undefined || wrapperName.test(name)) {
      return [];
    }
    const changed = plain((scalarText(text) ?? '').replace(tag, tag + plainSuffix));
    return [{ body: { [name]: { ...(value as Body), [field]: changed } }, values: [changed] }];
  });
}

/** Names of objects that contain all fields of a record. */
const wrapperName = /^(data|result|record|item|payload|response|attributes|agent|lead)$/i;

/** Whether a value is shown anywhere. A deployment may change the case and the white space of texts. */
export const shows = (root: unknown, wanted: Plain): boolean => walk(root).some(({ value }) => holds(value, wanted));

/** Whether the words are shown in a field of that name, in whatever spelling. */
const showsAs = (root: unknown, field: string, words: string): boolean =>
  walk(root).some(({ name, value }) => lettersOf(name) === lettersOf(field) && mentions(value, words));

/** Whether a shown value is the wanted one or, as a text, contains it. */
export const holds = (value: unknown, wanted: Plain): boolean =>
  typeof wanted === 'string'
    ? typeof value === 'string' && tidy(value).includes(tidy(wanted))
    : scalarText(value) === scalarText(wanted);

/**
 * How the letters outside ASCII of a text come back, where the deployment has lost them: `cafÃ©`, `caf?` or `caf\ufffd`.
 * Null where the text is kept, or not shown at all.
 */
export function garblingOf({ json }: Pick<Answer, 'json'>, wanted: Plain): string | null {
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

/** A text in lower case, with single blanks. */
export const tidy = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim();
