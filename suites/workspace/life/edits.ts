import { pointerNames, scalarText, walk } from '../../../common/json.ts';
import { lettersOf } from '../../../common/words.ts';
import { mentions } from '../../reading/own-words.ts';
import type { Body } from '../../records/bodies.ts';
import type { Attempt } from '../records/creating.ts';
import { type Edit, shows } from './changed-fields.ts';

/** What an edit appends to the record's words: as people write, and in plain letters, which every deployment keeps. */
const richSuffix = ' changed: café & “tea” 🙂';
const plainSuffix = ' changed';

/** Longer texts are prose: where names may not be changed, notes often may. */
const longestName = 100;

interface SentText {
  /** The names that lead to it. */
  readonly names: readonly string[];
  readonly text: string;
}

/**
 * The edits to try on a record, likeliest first. Each changes one text that was sent with the record's words in it: those
 * that the view shows where they were sent, then those that it shows under their name, or anywhere, then the others. The
 * likeliest two, and the longest, are changed as people write, then plainly. A text in an object goes with all of it.
 */
export function editsOf({ fields, tag }: Pick<Attempt, 'fields' | 'tag'>, view: unknown): Edit[] {
  const shown = walk(view).filter(({ value }) => mentions(value, tag));
  const rank = ({ names, text }: SentText): number => {
    const name = names.at(-1) ?? '';
    if (shown.some(({ pointer }) => pointerNames(pointer).slice(-names.length).join('/') === names.join('/'))) {
      return names.length > 1 ? 0 : 1;
    }
    return shown.some((one) => lettersOf(one.name) === lettersOf(name)) ? 2 : shows(view, text) ? 3 : 4;
  };
  const texts = walk(fields)
    .filter(({ value, isInList }) => typeof value === 'string' && !isInList && mentions(value, tag))
    .map(({ pointer, value }): SentText => ({ names: pointerNames(pointer), text: scalarText(value) ?? '' }))
    .sort((a, b) => rank(a) - rank(b) || Number(isProse(a)) - Number(isProse(b)));
  const [first, second, ...others] = texts;
  const likeliest = [first, second].filter((text) => text !== undefined);
  const rest = [...(second === undefined ? [] : [second]), ...others].sort(
    (a, b) => Number(isProse(b)) - Number(isProse(a)),
  );
  const edit = (suffix: string, isPlain: boolean) => (sent: SentText) => editOf(fields, sent, { tag, suffix, isPlain });
  const [richly, plainly] = [edit(richSuffix, false), edit(plainSuffix, true)];
  return [
    ...likeliest.map(richly),
    ...likeliest.slice(0, 1).map(plainly),
    ...rest.slice(0, 1).flatMap((sent) => (likeliest.includes(sent) ? [] : [richly(sent)])),
    ...rest.map(plainly),
  ];
}

const isProse = ({ text }: SentText): boolean => text.length > longestName;

/** The edit of one text. An object within the record goes whole, since the deployment may replace it. */
function editOf(
  fields: Body,
  { names, text }: SentText,
  { tag, suffix, isPlain }: { readonly tag: string; readonly suffix: string; readonly isPlain: boolean },
): Edit {
  const changed = text.includes('@') ? text.replace('@', '.changed@') : text.replace(tag, tag + suffix);
  const value = isPlain ? plain(changed) : changed;
  const [field = ''] = names;
  return { body: { [field]: withText(fields, names, value)[field] }, values: [value] };
}

/** The fields with another text where the names lead. */
const withText = (fields: Body, [name = '', ...rest]: readonly string[], text: string): Body => ({
  ...fields,
  [name]: rest.length === 0 ? text : withText(fields[name] as Body, rest, text),
});

/** A text reduced to letters, digits and the plainest signs: a deployment may store others in another form. */
const plain = (text: string): string =>
  text
    .replace(/[^\w\s@.,:()+-]/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/** The same edit in plain letters; null: it is one already. */
export function inPlainLetters({ body, values: [wanted] }: Edit): Edit | null {
  if (typeof wanted !== 'string' || plain(wanted) === wanted) {
    return null;
  }
  const text = plain(wanted);
  const inPlain: unknown = JSON.parse(JSON.stringify(body), (_, value: unknown) => (value === wanted ? text : value));
  return { body: inPlain, values: [text] };
}
