import { at, pointerNames, scalarText, walk } from '../../../common/json.ts';
import { lettersOf } from '../../../common/words.ts';
import { Inconclusive } from '../../../results/stop.ts';
import { fillBody, usesWord } from '../../../settings/bodies-file.ts';
import { mentions } from '../../reading/own-words.ts';
import { type Body, refusesBody, wrapped } from '../../records/bodies.ts';
import { nounOf } from '../../records/collections.ts';
import { readUntil } from '../../records/list-search.ts';
import { fieldsNamed } from '../../records/named-fields.ts';
import { timeToSettle } from '../../records/own.ts';
import { firstFoundView } from '../../records/reads.ts';
import { type Answer, isSuccess } from '../../session/answer.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { stepFor } from '../../session/step.ts';
import { changing, type Readable, reading } from '../kinds.ts';
import { wordsFor } from '../records/compose.ts';
import type { Attempt, Created } from '../records/create.ts';
import { firstRecord } from '../records/run-records.ts';
import { effectOf, garblingOf, missingIn, type Plain, shows, viewBefore } from './changed-fields.ts';

/** The body of a PATCH, and the values that a later read should show. */
export interface Edit {
  readonly body: unknown;
  readonly values: readonly Plain[];
}

/** A PATCH of a record of the run's, and what came of it. */
export interface Change extends Edit {
  readonly record: Created;
  /** The record as it was read before. */
  readonly before: Answer;
  readonly answer: Answer;
  /** The precondition that the deployment demands; empty: none. */
  readonly headers: Precondition;
  /** The record as it is read afterwards. */
  readonly later: Answer;
  /** The bodies of this PATCH and of all before it that were not refused: one may have changed another field. */
  readonly tried: readonly unknown[];
  /** Whether the body is the user's. */
  readonly isUsers: boolean;
}

/** Most PATCHes that are sent to find one that is accepted and shows. */
const mostTries = 7;

/**
 * Changes a record, once a run: one field after the other, until a change is accepted and shows, since a deployment may
 * keep some fields as they are. Gives that change or, failing it, the first that was not refused. Throws Inconclusive
 * where no field can be changed.
 */
export const changeRecord = stepFor(
  (kind: Readable, { id }: Created) => `${kind} ${id}`,
  async (session, kind, record): Promise<Change> => {
    const before = await firstFoundView(session, reading(kind), record.id);
    const usersBody = session.userBodies[changing(kind)];
    if (usersBody !== undefined) {
      const result = await tryEdit(session, record, kind, await usersEdit(session, record, usersBody));
      return { ...result, before, tried: [result.body], isUsers: true };
    }
    const result = await tryEdits(session, record, kind, before);
    if (result === undefined) {
      const message = `${changing(kind)} was not tried: the ${nounOf(kind)} was created without a field that can be changed`;
      throw new Inconclusive({ message });
    }
    return { ...result, before, isUsers: false };
  },
);

type Tried = Omit<Change, 'before' | 'tried' | 'isUsers'>;
type Found = Omit<Change, 'before' | 'isUsers'>;

/** Tries the likely edits of a record; undefined: there are none. */
async function tryEdits(session: Session, record: Created, kind: Readable, before: Answer): Promise<Found | undefined> {
  const edits = editsOf(record, viewBefore({ record, before }).json);
  const taken: unknown[] = [];
  let best: Found | undefined;
  // Fields that a refusal asked for: they go into all later bodies.
  let asked: Body = {};
  for (let tries = 0; edits.length > 0 && tries < mostTries; tries += 1) {
    const next = edits.shift() as Edit;
    const body = wrapped({ ...asked, ...(next.body as Body) }, record.recipe.wrapper);
    const result = { ...(await tryEdit(session, record, kind, { ...next, body })), tried: [...taken, body] };
    const isRefused = refusesBody(result.answer);
    if (!isRefused) {
      taken.push(body);
    }
    const effect = isSuccess(result.answer) && isSuccess(result.later) ? effectOf({ ...result, before }) : 'unknown';
    // What spoils a text as people write may keep it in plain letters.
    const inPlain = effect === 'garbled' ? inPlainLetters(next) : null;
    if (isDecisive(result) || (effect === 'garbled' && inPlain === null)) {
      return result;
    }
    if (inPlain !== null) {
      edits.unshift(inPlain);
    }
    if (best === undefined || refusesBody(best.answer)) {
      best = result;
    }
    const more = isRefused ? missingFields(result, before) : {};
    if (Object.keys(more).length > 0) {
      asked = { ...asked, ...more };
      edits.unshift(next);
    }
  }
  return best;
}

/** Whether no other edit needs to be tried: this one shows, or shows garbled, or the record cannot be read. */
const isDecisive = ({ answer, later, values }: Tried): boolean =>
  isSuccess(answer) &&
  (!isSuccess(later) ||
    missingIn(later, values).length === 0 ||
    values.some((value) => garblingOf(later, value) !== null));

/** The fields that the refusal of a change misses, with the values that the view shows, such as a version. */
function missingFields({ body, answer }: Tried, { json }: Answer): Body {
  const shown = new Map(walk(json).map(({ name, value }) => [name, value]));
  return Object.fromEntries(
    fieldsNamed(answer, body).missing.flatMap((name) => (shown.has(name) ? [[name, shown.get(name)]] : [])),
  );
}

/** Sends an edit, again where it may have come too soon or lacks a precondition, and reads the record afterwards. */
async function tryEdit(session: Session, record: Created, kind: Readable, { body, values }: Edit): Promise<Tried> {
  const { id } = record;
  const patch = (headers: Precondition = {}): Promise<Answer> => send(session, changing(kind), { id, body, headers });
  let answer = await patch();
  // A new record may not be ready to be changed: then the refusal names no field of the body.
  const wait = timeToSettle(session, record.answer);
  if (refusesBody(answer) && wait > 0 && !namesFieldOf(body, answer)) {
    await session.clock.sleep(wait);
    answer = await patch();
  }
  let headers: Precondition = {};
  for (const precondition of lacksPrecondition(answer) ? await preconditionsFor(session, kind, id) : []) {
    if (lacksPrecondition(answer)) {
      headers = precondition;
      answer = await patch(headers);
    }
  }
  const read = (): Promise<Answer> => send(session, reading(kind), { id });
  const later = isSuccess(answer)
    ? await readUntil(session, read, (view) => missingIn(view, values).length === 0)
    : await read();
  return { record, body, values, answer, headers, later };
}

const namesFieldOf = (body: unknown, refusal: Answer): boolean => {
  const { all } = fieldsNamed(refusal, body);
  return walk(body).some(({ name }) => all.includes(name));
};

/** The edit in the file that BODIES names. */
async function usersEdit(session: Session, record: Created, usersBody: unknown): Promise<Edit> {
  const { number } = session.nextRecord();
  const agent = usesWord(usersBody, 'agent_id') ? (await firstRecord(session, 'agents')).id : undefined;
  const body = fillBody(usersBody, {
    ...(await wordsFor(session, usersBody, { tag: `${record.tag}-changed`, number })),
    ...(agent === undefined ? {} : { agent_id: agent }),
    ...(usesWord(usersBody, 'lead_id') ? { lead_id: record.id } : {}),
  });
  const values = walk(body).map(({ value }) => value);
  return { body, values: values.filter((value): value is Plain => value !== null && typeof value !== 'object') };
}

// Likely edits.

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
function inPlainLetters({ body, values: [wanted] }: Edit): Edit | null {
  if (typeof wanted !== 'string' || plain(wanted) === wanted) {
    return null;
  }
  const text = plain(wanted);
  const inPlain: unknown = JSON.parse(JSON.stringify(body), (_, value: unknown) => (value === wanted ? text : value));
  return { body: inPlain, values: [text] };
}

// Preconditions.

/** Headers that a deployment may demand of a change, so that no change since the last read is overwritten. */
export type Precondition = Readonly<Record<string, string>>;

/** Whether a change was refused for lack of a precondition (RFC 9110, 13.1.1; RFC 6585, 3), or without saying why. */
export const lacksPrecondition = ({ status, text, json }: Pick<Answer, 'status' | 'text' | 'json'>): boolean =>
  status === 428 ||
  ([400, 409, 412, 422].includes(status) &&
    (/if[-_ ]?match|precondition/i.test(text) || at(json, '/error/message') === ''));

/** The preconditions to try: that the record has the tag that a read shows now, if it shows one; that it exists. */
export async function preconditionsFor(session: Session, kind: Readable, id: string): Promise<readonly Precondition[]> {
  const view = await send(session, reading(kind), { id });
  const tag = view.unredacted(({ header }) => header('ETag'));
  return [...(tag === null ? [] : [{ 'If-Match': tag }]), { 'If-Match': '*' }];
}
