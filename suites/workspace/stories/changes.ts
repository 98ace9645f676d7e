import { pointerNames, reword, scalarText, walk } from '../../../common/json.ts';
import { lettersOf } from '../../../common/words.ts';
import { Inconclusive } from '../../../results/outcome.ts';
import { fillBody } from '../../../settings/bodies-file.ts';
import { mentions } from '../../reading/own-words.ts';
import { type Body, bodyRefused, refusesBody, wrapped } from '../../records/bodies.ts';
import { nounOf, readUntil } from '../../records/lists.ts';
import { fieldsNamed } from '../../records/named-fields.ts';
import { firstFoundView } from '../../records/reads.ts';
import { type Answer, isSuccess } from '../../session/call.ts';
import { type Session, send } from '../../session/session.ts';
import { changing, type Readable, reading } from '../kinds.ts';
import { type Attempt, type Created, nextWords } from '../records/creating.ts';
import { namedIn } from '../records/run-records.ts';
import { type Edit, isGarbled, missingIn, type Plain, plainSuffix, richSuffix, viewBefore } from './changed-fields.ts';

/** A PATCH of a record of the run's, and what came of it. */
export interface Change extends Edit {
  readonly record: Created;
  /** The record as it was read before. */
  readonly before: Answer;
  readonly answer: Answer;
  /** The precondition that the deployment demands; empty: none. */
  readonly headers: Readonly<Record<string, string>>;
  /** The record as it is read afterwards; where the change was refused, as before. */
  readonly later: Answer;
  /** The bodies of this PATCH and of all before it that were not refused: one may have changed another field. */
  readonly tried: readonly unknown[];
  /** Whether the body is the user's. */
  readonly isUsers: boolean;
}

/** Most fields of which a change is tried, to find one that is accepted and shows. */
const mostFields = 4;

/**
 * Changes a record: one field after the other, until a change is accepted and shows, since a deployment may keep some
 * fields as they are. Gives that change or, failing it, the first that was not refused. Throws Inconclusive where no
 * field can be changed.
 */
export async function changeRecord(session: Session, kind: Readable, record: Created): Promise<Change> {
  const before = await firstFoundView(session, reading(kind), record.id);
  const usersBody = session.userBodies[changing(kind)];
  if (usersBody !== undefined) {
    const change = await tryEdit(session, kind, { record, before }, await usersEdit(session, record, usersBody));
    return { ...change, tried: [change.body], isUsers: true };
  }
  const all: Change[] = [];
  // Fields that a refusal asked for, such as a version: they go into all later bodies.
  let asked: Body = {};
  const attempt = async ({ body, values }: Edit): Promise<Change> => {
    const edit = { body: wrapped({ ...asked, ...(body as Body) }, record.recipe.wrapper), values };
    const change = await tryEdit(session, kind, { record, before }, edit);
    const taken = all.flatMap((one) => (refusesBody(one.answer) ? [] : [one.body]));
    return { ...change, tried: [...taken, edit.body], isUsers: false };
  };
  const sent = editsOf(record, viewBefore({ record, before }).json).slice(0, mostFields);
  for (const edits of [...sent, ...(kind === 'agents' ? [configurationEdits(record.tag)] : [])]) {
    for (const edit of edits) {
      let change = await attempt(edit);
      const more = refusesBody(change.answer) ? missingFields(change) : {};
      if (Object.keys(more).length > 0) {
        asked = { ...asked, ...more };
        change = await attempt(edit);
      }
      if (isDecisive(change) || (edit === edits.at(-1) && isSuccess(change.answer) && isGarbled(change))) {
        return change;
      }
      all.push(change);
    }
  }
  const best = all.find(({ answer }) => !refusesBody(answer)) ?? all[0];
  if (best === undefined) {
    const message = `${changing(kind)} was not tried: the ${nounOf(kind)} was created without a field that can be changed`;
    throw new Inconclusive({ message });
  }
  return best;
}

/** Whether no other edit needs to be tried: this one shows, or the record cannot be read. */
const isDecisive = ({ answer, later, values }: Change): boolean =>
  isSuccess(answer) && (!isSuccess(later) || missingIn(later, values).length === 0);

/** A text reduced to letters, digits and the plainest signs: a deployment may refuse others. */
const plain = (text: string): string =>
  text
    .replace(/[^\w\s@.,:()+-]/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/**
 * The edits to try on a record, those of one field together. Each changes one text that was sent with the record's
 * words in it: first those that the view shows under their name. An object goes whole, since the deployment may replace
 * it.
 */
export function editsOf({ fields, tag }: Pick<Attempt, 'fields' | 'tag'>, view: unknown): Edit[][] {
  const shown = walk(view).filter(({ value }) => mentions(value, tag));
  const isShown = ({ name }: { readonly name: string }): boolean =>
    shown.some((one) => lettersOf(one.name) === lettersOf(name));
  return walk(fields)
    .filter(({ value, isInList }) => typeof value === 'string' && !isInList && mentions(value, tag))
    .sort((a, b) => Number(isShown(b)) - Number(isShown(a)))
    .map(({ pointer, value }) => {
      const [names, text] = [pointerNames(pointer), scalarText(value) ?? ''];
      const changed = (suffix: string): string =>
        text.includes('@') ? text.replace('@', '.changed@') : text.replace(tag, tag + suffix);
      const [field = ''] = names;
      return [...new Set([changed(richSuffix), plain(changed(plainSuffix))])].map((wanted) => ({
        body: { [field]: withText(fields, names, wanted)[field] },
        values: [wanted],
      }));
    });
}

/** The edit of an agent where no field that was sent can be changed: the document says that its configuration can. */
const configurationEdits = (tag: string): Edit[] => [
  { body: { configuration: { instructions: `${tag}${plainSuffix}` } }, values: [`${tag}${plainSuffix}`] },
];

/** The fields with another text where the names lead. */
const withText = (fields: Body, [name = '', ...rest]: readonly string[], text: string): Body => ({
  ...fields,
  [name]: rest.length === 0 ? text : withText(fields[name] as Body, rest, text),
});

/** The fields that the refusal of a change misses, with the values that the view shows, such as a version. */
function missingFields({ body, answer, before }: Change): Body {
  const shown = new Map(walk(before.json).map(({ name, value }) => [name, value]));
  return Object.fromEntries(
    fieldsNamed(answer, body).missing.flatMap((name) => (shown.has(name) ? [[name, shown.get(name)]] : [])),
  );
}

/** Sends an edit, again where it lacks a precondition, and reads the record afterwards. */
async function tryEdit(
  session: Session,
  kind: Readable,
  { record, before }: Pick<Change, 'record' | 'before'>,
  { body, values }: Edit,
): Promise<Omit<Change, 'tried' | 'isUsers'>> {
  const { id } = record;
  const first = await send(session, changing(kind), { id, body });
  // The precondition that the record exists, which any state of it meets (RFC 9110, 13.1.1).
  const headers: Change['headers'] = lacksPrecondition(first) ? { 'If-Match': '*' } : {};
  const answer = 'If-Match' in headers ? await send(session, changing(kind), { id, body, headers }) : first;
  const read = (): Promise<Answer> => send(session, reading(kind), { id });
  const later = isSuccess(answer)
    ? await readUntil(session, read, (view) => missingIn(view, values).length === 0)
    : before;
  return { record, before, body, values, answer, headers, later };
}

/** Whether a change was refused for lack of a precondition (RFC 6585, 3). */
const lacksPrecondition = ({ status, text }: Pick<Answer, 'status' | 'text'>): boolean =>
  status === 428 || ([400, 409, 412, 422].includes(status) && /if[-_ ]?match|precondition/i.test(text));

/** The edit in the file that BODIES names. */
async function usersEdit(session: Session, { tag }: Created, template: unknown): Promise<Edit> {
  const words = await namedIn(session, template);
  const body = fillBody(template, { ...nextWords(session, `${tag}-changed`), ...words });
  const values = walk(body).map(({ value }) => value);
  return { body, values: values.filter((value): value is Plain => value !== null && typeof value !== 'object') };
}

/** Throws Inconclusive where no body was accepted: a change may need what nothing says. */
export function assertBodyAccepted({ answer, body, record, isUsers }: Change, kind: Readable): void {
  if (refusesBody(answer)) {
    const template = reword(body, record.tag, '{{run}}') as Body;
    throw bodyRefused(changing(kind), answer, { template, wrapper: null, isUsers });
  }
}
