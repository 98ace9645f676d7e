import { pointerNames, reword, scalarText, walk } from '../../../common/json.ts';
import { alphanumeric, lettersOf } from '../../../common/words.ts';
import { Inconclusive } from '../../../results/outcome.ts';
import { fillBody } from '../../../settings/bodies-file.ts';
import { mentions } from '../../reading/own-words.ts';
import { type Body, bodyRefused, refusesBody, wrapped } from '../../records/bodies.ts';
import { firstFoundView, nounOf, readUntil } from '../../records/reads.ts';
import { type Answer, isSuccess } from '../../session/call.ts';
import { type Session, send } from '../../session/session.ts';
import { type Created, changing, type Kind, nextWords, reading } from '../records/creating.ts';
import { namedIn } from '../records/run-records.ts';
import { valuesOutsideHistory } from './history.ts';

type Plain = string | number | boolean;

/** The body of a PATCH, and the values that a later read should show. */
interface Edit {
  readonly body: unknown;
  readonly values: readonly Plain[];
}

/** A PATCH of a record of the run's, and what came of it. */
export interface Change extends Edit {
  readonly record: Created;
  /** The record as it was read before. */
  readonly before: Answer;
  readonly answer: Answer;
  /** The record as it is read afterwards; where the change was refused, as before. */
  readonly later: Answer;
  /** Whether the body is the user's. */
  readonly isUsers: boolean;
  /** The bodies that were tried before, which the record did not show as sent. */
  readonly tried: readonly unknown[];
}

/** Most fields of which a change is tried, to find one that is accepted and shows. */
const mostFields = 4;

/**
 * Changes a record: one field after the other, until a change is accepted and shows, since a deployment may keep some
 * fields as they are. Gives that change or, failing it, the first that was not refused. Throws Inconclusive where no
 * field can be changed.
 */
export async function changeRecord(session: Session, kind: Kind, record: Created): Promise<Change> {
  const before = await firstFoundView(session, reading(kind), record.id);
  const usersBody = session.userBodies[changing(kind)];
  const edits =
    usersBody === undefined
      ? [...editsOf(record, before.json), ...(kind === 'agents' ? [configurationEdit(record)] : [])]
      : [await usersEdit(session, record, usersBody)];
  const all: Change[] = [];
  for (const { body, values } of edits) {
    const answer = await send(session, changing(kind), { id: record.id, body });
    const view = (): Promise<Answer> => send(session, reading(kind), { id: record.id });
    const shows = (later: Answer): boolean => missingIn(later, values).length === 0;
    const later = isSuccess(answer) ? await readUntil(session, view, shows) : before;
    const tried = all.map((one) => one.body);
    const change = { record, before, isUsers: usersBody !== undefined, tried, body, values, answer, later };
    if (isSuccess(answer) && (!isSuccess(later) || shows(later) || isSpoilt(change))) {
      return change;
    }
    all.push(change);
  }
  const best = all.find(({ answer }) => !refusesBody(answer)) ?? all[0];
  if (best === undefined) {
    const message = `${changing(kind)} was not tried: the ${nounOf(kind)} was created without a field that can be changed`;
    throw new Inconclusive({ message });
  }
  return best;
}

/** Whether the record shows neither a plain text that was sent nor what it showed before: that was cut, or dropped. */
function isSpoilt(change: Change): boolean {
  const former = seenBefore(change);
  const isPlain = change.values.every((one) => plain(`${one}`) === `${one}`);
  return isPlain && former.length > 0 && missingIn(change.later, former).length === former.length;
}

// --- What is changed

/** What edits append to the record's words: as people write, and then in plain letters, which deployments keep. */
const richSuffix = ' changed: café & “tea” 🙂';
const plainSuffix = ' changed';

/** A text reduced to letters, digits and the plainest signs: a deployment may refuse others. */
const plain = (text: string): string =>
  text
    .replace(/[^\w\s@.,:()+-]/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/**
 * The edits to try on a record, two of each text: of those that were sent with the record's words in them, first those
 * that the view shows under their name. An object goes whole, since the deployment may replace it.
 */
export function editsOf({ fields, tag, recipe }: Pick<Created, 'fields' | 'tag' | 'recipe'>, view: unknown): Edit[] {
  const shown = walk(view).filter(({ value }) => mentions(value, tag));
  const isShown = ({ name }: { readonly name: string }): boolean =>
    shown.some((one) => lettersOf(one.name) === lettersOf(name));
  return walk(fields)
    .filter(({ value, isInList }) => typeof value === 'string' && !isInList && mentions(value, tag))
    .sort((a, b) => Number(isShown(b)) - Number(isShown(a)))
    .slice(0, mostFields)
    .flatMap(({ pointer, value }) => {
      const [field = ''] = pointerNames(pointer);
      const text = scalarText(value) ?? '';
      const changed = (suffix: string): string =>
        text.includes('@') ? text.replace('@', '.changed@') : text.replace(tag, tag + suffix);
      return [...new Set([changed(richSuffix), plain(changed(plainSuffix))])].map((wanted) => ({
        body: wrapped({ [field]: reword(fields[field], text, wanted) }, recipe.wrapper),
        values: [wanted],
      }));
    });
}

/** The edit of an agent where no field that was sent can be changed: the document says that its configuration can. */
const configurationEdit = ({ tag, recipe }: Created): Edit => ({
  body: wrapped({ configuration: { instructions: `${tag}${plainSuffix}` } }, recipe.wrapper),
  values: [`${tag}${plainSuffix}`],
});

/** The edit in the file that BODIES names. */
async function usersEdit(session: Session, { tag }: Created, template: unknown): Promise<Edit> {
  const words = await namedIn(session, template);
  const body = fillBody(template, { ...nextWords(session, `${tag}-changed`), ...words });
  const values = walk(body).map(({ value }) => value);
  return { body, values: values.filter((value): value is Plain => value !== null && typeof value !== 'object') };
}

/** Throws Inconclusive where no body was accepted: a change may need what nothing says. */
export function assertBodyAccepted({ answer, body, record, isUsers }: Change, kind: Kind): void {
  // RFC 9110, 13.1.1, and RFC 6585, 3: any state of the record meets it.
  const isConditional = [400, 412, 428].includes(answer.status) && /if-match|precondition/i.test(answer.text);
  if (refusesBody(answer) || isConditional) {
    const template = reword(body, record.tag, '{{run}}') as Body;
    const advice = isConditional ? { advice: `Set EXTRA_HEADERS to '{"If-Match": "*"}'` } : {};
    throw bodyRefused(changing(kind), answer, { template, wrapper: null, isUsers }, advice);
  }
}

// --- What became of it

/** Those of the values that a record does not show, its history left out. */
export function missingIn({ json }: Pick<Answer, 'json'>, values: readonly Plain[]): readonly Plain[] {
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

const comparable = (text: string): string => alphanumeric(text) || text;

/** What a read before the change showed of the changed field under its name, with the run's words. */
export function seenBefore({ record, body, values, before }: Change): readonly string[] {
  const sent = walk(body).filter(({ value }) => values.some((one) => one === value));
  const names = sent.map(({ name }) => lettersOf(name));
  return walk(before.json).flatMap(({ name, value }) =>
    typeof value === 'string' && names.includes(lettersOf(name)) && mentions(value, record.tag) ? [value] : [],
  );
}
