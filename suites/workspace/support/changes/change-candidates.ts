import { isObject, pointerNames, walk } from '../../../../common/json.ts';
import { lettersOf } from '../../../../common/words.ts';
import type { Body } from '../../../../fixtures/workspace-bodies.ts';
import type { Answer } from '../../../session/answer.ts';
import { mentions } from '../../../session/reading/own-words.ts';
import { complaintOf } from '../../../shared/complaints/complaint.ts';
import type { Attempt } from '../records/create.ts';
import { valuesBesideHistory } from './history.ts';

export type Plain = string | number | boolean;

/** A change of a record: the body of a PATCH, and the values that a later read is to show. */
export interface Change {
  readonly body: unknown;
  readonly values: readonly Plain[];
}

/** What people write, and what the plainest of deployments keeps. */
const [asWritten, plainly] = [' changed: café & “tea” 🙂', ' changed'];

const changedText = (text: string, tag: string, words: string): string =>
  text.includes('@') ? text.replace('@', '.changed@') : text.replace(tag, tag + words);

/** A text in letters, digits and the plainest of signs: what was sent at first may be kept in another form, too. */
const plain = (text: string): string =>
  text
    .replace(/[^\w\s@.,:()+-]/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/**
 * A change of each field that was sent as text with the words of the record in it: first of those that the answers show
 * by that name, then of those whose text they show, since a deployment may leave out what it does not know, and one text
 * may have been sent under several names; as people write, and then plainly.
 */
export function changesOf(
  { fields, tag, id }: Pick<Attempt, 'fields' | 'tag' | 'id'>,
  views: readonly unknown[],
): Change[] {
  const texts = Object.entries(fields).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && mentions(entry[1], tag),
  );
  const isKept = ([name, text]: [string, string], view: unknown) => shows(view, text) || showsAs(view, name, tag);
  const shown = texts.filter((entry) => views.some((view) => isKept(entry, view)));
  const named = shown.filter(([name]) => views.some((view) => showsAs(view, name, tag)));
  // Prose is what a record may do without: it is the field that a change of another one might wipe.
  const isProse = ([, text]: readonly [string, string]): boolean => text.length > 100;
  const likely = [...named].sort((a, b) => Number(isProse(a)) - Number(isProse(b)));
  const [first, ...others] = new Set([...likely, ...shown, ...texts]);
  const likeliest = [first, others[0]].filter((one) => one !== undefined);
  // Where names may not be changed, notes often may.
  const further = [...others].sort((a, b) => Number(isProse(b)) - Number(isProse(a)));
  const changeTo =
    (words: string, write = (text: string): string => text) =>
    ([name, text]: [string, string]): Change => {
      const value = write(changedText(text, tag, words));
      return { body: { [name]: value }, values: [value] };
    };
  const within = changesOfInner(fields, tag);
  const isShown = ({ names }: InnerChange): boolean =>
    views.some((view) => walk(view).some(({ pointer, value }) => endsIn(pointer, names) && mentions(value, tag)));
  const inner = [...within, ...views.flatMap((view) => changesWithin(view, { tag, id }))].slice(0, 1);
  return [
    // What shows where it was sent is surely kept there.
    ...within.filter(isShown).slice(0, 1),
    ...likeliest.map(changeTo(asWritten)),
    ...likeliest.slice(0, 1).map(changeTo(plainly, plain)),
    ...inner,
    ...further.map(changeTo(plainly, plain)),
  ];
}

interface InnerChange extends Change {
  /** The names that lead to what is changed. */
  readonly names: readonly string[];
}

const endsIn = (pointer: string, names: readonly string[]): boolean =>
  pointerNames(pointer).slice(-names.length).join('/') === names.join('/');

/** Changes of the texts in objects that were sent. The whole object goes with each, since it may be replaced. */
function changesOfInner(fields: Body, tag: string): InnerChange[] {
  const texts = walk(fields).filter(
    ({ depth, isInList, value }) => depth > 1 && !isInList && typeof value === 'string',
  );
  return texts.flatMap(({ pointer, value }) => {
    const [names, text] = [pointerNames(pointer), String(value)];
    const changed = plain(changedText(text, tag, plainly));
    const body = { [names[0] ?? '']: withText(fields, names, changed)[names[0] ?? ''] };
    return mentions(text, tag) ? [{ names, body, values: [changed] }] : [];
  });
}

/** The same with another text where the names lead. */
const withText = (fields: Body, [name = '', ...rest]: readonly string[], text: string): Body => ({
  ...fields,
  [name]: rest.length === 0 ? text : withText(fields[name] as Body, rest, text),
});

/**
 * A change of a text with the words in it that stands in an object of the record: an agent's configuration may be all that changes.
 * An object in which its id stands, or that is called so, is the record itself, and so is one in a list.
 */
function changesWithin(view: unknown, { tag, id }: Pick<Attempt, 'tag' | 'id'>): Change[] {
  const objects = valuesBesideHistory(view).filter(
    ({ name, value, depth }) =>
      isObject(value) && depth > 0 && !/^\d+$/.test(name) && name !== id && !(id !== undefined && mentions(value, id)),
  );
  return objects.flatMap(({ name, value }) => {
    const [field, text] =
      Object.entries(value as Body).find(([, one]) => typeof one === 'string' && mentions(one, tag)) ?? [];
    if (field === undefined || wrapper.test(name)) {
      return [];
    }
    const changed = plain(String(text).replace(tag, tag + plainly));
    return [{ body: { [name]: { ...(value as Body), [field]: changed } }, values: [changed] }];
  });
}

/** Objects that hold a record's fields. */
const wrapper = /^(data|result|record|item|payload|response|attributes|agent|lead)$/i;

/** Fields that a refusal asks for and the record shows: its version, say. */
export function askedFor(answer: Pick<Answer, 'json' | 'text'>, sent: unknown, view: unknown): Body {
  const given = new Set(walk(sent).map(({ name }) => name));
  const shown = new Map(
    walk(view)
      .map(({ name, value }) => [name, value] as const)
      .reverse(),
  );
  return Object.fromEntries(
    complaintOf(answer, sent)
      .fields.filter((name) => !given.has(name) && shown.has(name))
      .map((name) => [name, shown.get(name)]),
  );
}

/** Whether an answer shows a value anywhere. Case and white space are the deployment's to tidy up. */
export const shows = (root: unknown, wanted: Plain): boolean => walk(root).some(({ value }) => holds(value, wanted));

export const showsAs = (root: unknown, field: string, words: string): boolean =>
  walk(root).some(({ name, value }) => lettersOf(name) === lettersOf(field) && mentions(value, words));

export const holds = (value: unknown, wanted: Plain): boolean =>
  typeof wanted === 'string'
    ? typeof value === 'string' && tidy(value).includes(tidy(wanted))
    : String(value) === String(wanted);

/** Whether a text comes back as UTF-8 that was read as Latin-1: `cafÃ©`. Nobody tidies so. */
export function isGarbled({ json }: Pick<Answer, 'json'>, wanted: Plain): boolean {
  const [word] = typeof wanted === 'string' ? (/\w+[\u00c0-\u00ff]/.exec(wanted) ?? []) : [];
  const garbled = word === undefined ? undefined : Buffer.from(word).toString('latin1');
  return garbled !== undefined && walk(json).some(({ value }) => typeof value === 'string' && value.includes(garbled));
}

export const tidy = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim();
