import { at, type Found, isObject, walk } from '../../../../common/json.ts';
import { lettersOf } from '../../../../common/words.ts';
import { Inconclusive } from '../../../../results/stop.ts';
import { fillBody, usesWord } from '../../../../settings/bodies-file.ts';
import { settle } from '../../../engine/parts.ts';
import { mentions } from '../../../reading/own-words.ts';
import type { Body } from '../../../records/bodies.ts';
import { refusesBody, wrapped } from '../../../records/bodies.ts';
import { nounOf } from '../../../records/collections.ts';
import { likelyValue } from '../../../records/likely-bodies.ts';
import { readUntil } from '../../../records/list-search.ts';
import { fieldsNamed } from '../../../records/named-fields.ts';
import { timeToSettle } from '../../../records/own.ts';
import { firstFoundView } from '../../../records/reads.ts';
import { ofAnyChange } from '../../../records/shown-gone.ts';
import { type Answer, isSuccess } from '../../../session/answer.ts';
import { send } from '../../../session/send.ts';
import type { Session } from '../../../session/session.ts';
import { stepFor } from '../../../session/step.ts';
import { changing, creating, type Readable, reading } from '../kinds.ts';
import { wordsFor } from '../records/compose.ts';
import { assertCreated, type Created } from '../records/create.ts';
import { firstRecord } from '../records/run-records.ts';
import { isAgentDeletionJudged, secondAgent } from '../records/second-agent.ts';
import { type Change, changesOf, garblingOf, holds, type Plain, tidy } from './change-candidates.ts';
import { effectOf, plainly, viewBefore } from './changed-fields.ts';
import { valuesOutsideHistory } from './history.ts';
import { lacksPrecondition, type Precondition, preconditionsFor } from './preconditions.ts';

/** A PATCH of a record of the run's, and what came of it. */
export interface ChangeResult extends Change {
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
 * The change of the first record of a kind. Deletions wait for it, and `mainChange` waits for deletions: what a deletion
 * needs asks for this one. Throws Inconclusive where there is none.
 */
export const firstRecordChange = async (session: Session, kind: Readable): Promise<ChangeResult> =>
  changeRecord(session, kind, assertCreated(await firstRecord(session, kind)));

/**
 * Changes a record: one field after the other, until a change is accepted and shows, since a deployment may keep some
 * fields as they are. Gives that change or, failing it, the first that was not refused. Throws Inconclusive where no
 * field can be changed.
 */
export const changeRecord = stepFor(
  (kind: Readable, { id }: Created) => `${kind} ${id}`,
  async (session, kind, record): Promise<ChangeResult> => {
    if (kind === 'agents' && isAgentDeletionJudged(session)) {
      // Made before the change, which may show at another agent too.
      await settle(secondAgent(session));
    }
    // Read before the change: the detail view of an unchanged record is judged by another clause.
    const before = await firstFoundView(session, reading(kind), record.id);
    const usersBody = session.userBodies[changing(kind)];
    const result =
      usersBody === undefined
        ? await tryChanges(session, record, kind, before)
        : await tryChange(session, record, kind, await usersChange(session, record, usersBody));
    if (result === undefined) {
      const message = `${changing(kind)} was not tried: the ${nounOf(kind)} was created without a field that can be changed`;
      throw new Inconclusive({ message });
    }
    return { tried: [result.body], ...result, before, isUsers: usersBody !== undefined };
  },
);

type TriedChange = Omit<ChangeResult, 'before' | 'tried' | 'isUsers'>;
type FoundChange = Omit<ChangeResult, 'before' | 'isUsers'>;

/** Tries the likely changes of a record; undefined: there are none. */
async function tryChanges(
  session: Session,
  record: Created,
  kind: Readable,
  before: Answer,
): Promise<FoundChange | undefined> {
  const candidates = changesOf(record, [viewBefore({ record, before }).json]);
  const taken: unknown[] = [];
  let tries = 0;
  let best: FoundChange | undefined;
  // Fields that a refusal asked for: they go into all later bodies.
  let asked: Body = {};
  for (let next = candidates.shift(); next !== undefined && tries < mostTries; next = candidates.shift()) {
    const body = isObject(next.body) ? wrapped({ ...asked, ...next.body }, record.recipe.wrapper) : next.body;
    tries += 1;
    const result = { ...(await tryChange(session, record, kind, { ...next, body })), tried: [...taken, body] };
    if (!refusesBody(result.answer)) {
      taken.push(body);
    }
    const effect = isSuccess(result.answer) && isSuccess(result.later) ? effectOf({ ...result, before }) : 'unknown';
    // What spoils a text as people write may keep it in plain letters.
    const inPlain = effect === 'garbled' ? plainly(next) : null;
    if (isDecisive(result) || (effect === 'garbled' && inPlain === null)) {
      return result;
    }
    if (inPlain !== null) {
      candidates.unshift(inPlain);
    }
    if (best === undefined || refusesBody(best.answer)) {
      best = result;
    }
    const more = refusesBody(result.answer) ? missingFields(kind, record, result, before) : {};
    if (Object.keys(more).length > 0) {
      asked = { ...asked, ...more };
      candidates.unshift(next);
    }
  }
  return best;
}

/** The fields that the refusal of a change misses: with the values that the view shows, such as a version, or likely ones. */
function missingFields(kind: Readable, record: Created, { body, answer }: TriedChange, before: Answer): Body {
  const shown = new Map(walk(before.json).map(({ name, value }) => [name, value]));
  const words = { run: record.tag };
  return Object.fromEntries(
    fieldsNamed(answer, body).missing.flatMap((name) => {
      const value = shown.get(name) ?? fillBody(likelyValue(creating(kind), name), words);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Sends a change, again where it may have come too soon or lacks a precondition, and reads the record afterwards. */
async function tryChange(session: Session, record: Created, kind: Readable, change: Change): Promise<TriedChange> {
  const { id } = record;
  const { body, values } = change;
  const patch = (details: { readonly headers?: Precondition } = {}): Promise<Answer> =>
    send(session, changing(kind), { id, body, ...details });
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
      answer = await patch({ headers });
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

/** Those of the values that a record does not show, its history left out. */
export function missingIn({ json }: Pick<Answer, 'json'>, values: readonly Plain[]): readonly Plain[] {
  const shown = valuesOutsideHistory(json);
  return values.filter((wanted) => !shown.some(({ value }) => holds(value, wanted)));
}

/** Whether no other change needs to be tried: this one shows, or shows garbled, or the record cannot be read. */
const isDecisive = ({ answer, later, values }: TriedChange): boolean =>
  isSuccess(answer) &&
  (!isSuccess(later) ||
    missingIn(later, values).length === 0 ||
    values.some((value) => garblingOf(later, value) !== null));

/** The change in the file that BODIES names. */
async function usersChange(session: Session, record: Created, usersBody: unknown): Promise<Change> {
  const { number } = session.nextRecord();
  const agent = usesWord(usersBody, 'agent_id') ? (await firstRecord(session, 'agents')).id : undefined;
  const body = fillBody(usersBody, {
    ...(await wordsFor(session, usersBody, { tag: `${record.tag}-changed`, number })),
    ...(agent === undefined ? {} : { agent_id: agent }),
    ...(usesWord(usersBody, 'lead_id') ? { lead_id: record.id } : {}),
  });
  return { body, values: plainValues(body) };
}

const isPlain = (value: unknown): value is Plain => ['string', 'number', 'boolean'].includes(typeof value);

const plainValues = (body: unknown): Plain[] =>
  walk(body)
    .map(({ value }) => value)
    .filter(isPlain);

/** A value that a record was created with and showed before a change of other fields. */
interface KeptValue {
  readonly name: string;
  readonly value: Plain;
  /** Whether it still shows after the change. */
  readonly isKept: boolean;
}

/**
 * The values that a change should have left alone. A text counts as the deployment stored it. What was sent for the
 * changed field and for another one, such as an email address, may change in both.
 */
export function valuesToKeep({ record, tried, values, before, later }: ChangeResult): KeptValue[] {
  const changedNames = new Set(walk(tried).map(({ name }) => lettersOf(name)));
  const sent = walk(record.fields);
  // One text may have been sent under several names, of which a changed one does not count.
  const unchangedIn = ({ json }: Pick<Answer, 'json'>): readonly Found[] =>
    valuesOutsideHistory(json).filter(({ name }) => !changedNames.has(lettersOf(name)));
  const shownBefore = unchangedIn(before);
  const shownLater = unchangedIn(later);
  const hasFollowed = (kept: Plain): boolean =>
    sent.some(({ name, value }) => value === kept && changedNames.has(lettersOf(name))) &&
    shownBefore.some(
      ({ value, pointer }) => value === kept && values.some((one) => holds(at(later.json, pointer), one)),
    );
  return sent.flatMap(({ name, value }) => {
    const isToKeep = (typeof value === 'string' && value.length > 1) || typeof value === 'number';
    if (!isToKeep || changedNames.has(lettersOf(name)) || ofAnyChange.test(name)) {
      return [];
    }
    const isNamed = (shown: Found): boolean => lettersOf(shown.name) === lettersOf(name);
    const isSame = (one: Plain) => (shown: Found) =>
      typeof one === 'string'
        ? typeof shown.value === 'string' && tidy(shown.value) === tidy(one)
        : shown.value === one && isNamed(shown);
    const stored = shownBefore.find((shown) => isNamed(shown) && mentions(shown.value, record.tag))?.value;
    const kept = [value, stored].find((one) => isPlain(one) && shownBefore.some(isSame(one)));
    return isPlain(kept) ? [{ name, value: kept, isKept: shownLater.some(isSame(kept)) || hasFollowed(kept) }] : [];
  });
}
