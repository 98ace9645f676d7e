import { at, walk } from '../../../common/json.ts';
import { Inconclusive } from '../../../results/stop.ts';
import { fillBody, usesWord } from '../../../settings/bodies-file.ts';
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
import type { Created } from '../records/creating.ts';
import { firstRecord } from '../records/run-records.ts';
import { wordsFor } from '../records/slots.ts';
import { type Edit, effectOf, garblingOf, missingIn, type Plain, viewBefore } from './changed-fields.ts';
import { editsOf, inPlainLetters } from './edits.ts';

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
