import { type Found, type JsonObject, scalarText, walk } from '../../common/json.ts';
import { withArticle } from '../../common/words.ts';
import { endpointOf } from '../../contract/endpoints.ts';
import { Inconclusive, type Tally } from '../../results/outcome.ts';
import { shapeName } from '../../settings/bodies-file.ts';
import { describeAnswer, findingOn, undecided } from '../engine/expect.ts';
import { mentions } from '../reading/own-words.ts';
import { idsOf, valuesNamed } from '../reading/record.ts';
import { rawRows, rowsIn } from '../reading/rows.ts';
import { isSuccess } from '../session/call.ts';
import type { Session } from '../session/session.ts';
import { isAsSent, isOfOther } from './own-rows.ts';
import { type Listed, type ListSearch, nounOf } from './reads.ts';

/** Judges that the list shows a created record. Throws Inconclusive where it does not and was not read to its end. */
export function judgeCreatedListed(
  tally: Tally,
  search: Pick<ListSearch, 'isShown' | 'isComplete' | 'last' | 'pages' | 'hasRows'>,
  { collection, id }: Pick<Listed, 'collection' | 'id'>,
): void {
  if (search.isShown) {
    tally.judge(null);
    return;
  }
  const list = `GET ${collection}`;
  if (!isSuccess(search.last)) {
    const message = `Cannot tell whether a created ${nounOf(collection)} is listed: ${list} got ${describeAnswer(search.last)}`;
    throw undecided(search.last, message, endpointOf(list).clause);
  }
  const { length } = search.pages;
  const where = length === 1 ? list : `any of ${length} pages of ${list}`;
  const finding = findingOn(search.last, {
    message: `Created ${nounOf(collection)} is not listed: ${id} is not in ${where}`,
    expected: `a record that shows ${id}`,
    actual: 'no such record',
  });
  if (!search.isComplete) {
    const why = search.hasRows
      ? {
          cause:
            'The responses do not show whether this is the whole list, which record is new, or whether a cache keeps an older list',
        }
      : { cause: 'No rows were found', advice: adviceOnRows(collection) };
    throw new Inconclusive({ ...why, ...finding });
  }
  tally.judge(finding);
}

/** Judges that a create made no second record: that no list shows, in a row of another id, what one call alone sent. */
export function judgeMadeOnce(
  session: Session,
  tally: Tally,
  search: ListSearch | null | undefined,
  { collection, id, tag }: Listed,
): void {
  const noun = nounOf(collection);
  const create = `POST ${collection}`;
  const calls = session.evidence.exchanges.filter(
    ({ endpoint, request }) => endpoint === create && mentions(request.body, tag),
  );
  const isCopy = (row: JsonObject): boolean =>
    isAsSent(session, row, { collection, tag }, [create]) && !isOfOther(session, collection, row) && !isShownGone(row);
  const pages = search?.isShown && calls.length === 1 && id !== undefined ? search.pages : [];
  const copies = pages.flatMap(({ answer }) =>
    rawRows(answer, noun)
      .filter(isCopy)
      .map((row) => ({ answer, ids: idsOf(row, noun) })),
  );
  const other = copies.find(({ ids }) => ids.length > 0 && !ids.includes(id ?? ''));
  if (other !== undefined) {
    const message = `Creating ${withArticle(noun)} made two: the list shows what was sent as ${id} and as ${other.ids[0]}`;
    tally.judge(findingOn(other.answer, { message, expected: `one ${noun}`, actual: 'two', place: 'body' }));
  }
}

/** The advice to tell in BODIES where the rows of a list stand. */
export const adviceOnRows = (collection: string): string =>
  `Add this to BODIES, with the place of the rows: "shapes": {"${shapeName(collection)}": {"rows": "/…"}}`;

/** Whether a list shows a deleted record, and its row there. */
export type RowBefore = Pick<ListSearch, 'row' | 'isShown'>;

/**
 * What a list says of a deleted record: it is gone, or is shown as deleted; it is there as before; or neither is
 * certain. `before`: its row until then. Of bookings a word or number that the documents do not have may be the
 * deployment's own for cancelled, unless other rows say that they are gone; the same number may be of something else.
 */
export function fateOf(
  { row, last }: ListSearch,
  { row: before = {} }: RowBefore,
  { collection }: Pick<Listed, 'collection'>,
): 'gone' | 'still listed' | 'unclear' {
  if (row === undefined || isShownGone(row, before)) {
    return 'gone';
  }
  if (collection !== '/v1/bookings') {
    return changedState(row, before) === undefined ? 'still listed' : 'unclear';
  }
  const was = stateOf(before);
  const is = stateOf(row);
  if (is === undefined || (typeof is === 'number' && (typeof was !== 'number' || is === was))) {
    return walk(row).some(({ name }) => /cancell?ed(_?(at|on|date|time))?$/i.test(name)) ? 'still listed' : 'unclear';
  }
  const isOfAnother =
    is === was ||
    booked.includes(String(is).toLowerCase()) ||
    (rowsIn(last.payload, 'booking') ?? []).some((one) => isShownGone(one));
  return isOfAnother ? 'still listed' : 'gone';
}

/** The status or state that a booking names, as a word or a number; undefined: none. */
const stateOf = (booking: JsonObject) =>
  valuesNamed(booking, 'booking', 'status|state').find((one) => typeof one === 'string' || typeof one === 'number');

/** The statuses of bookings in the documents, but for that of a cancelled one. */
const documented = endpointOf('GET /api/v1/developer/export/bookings').query.find(({ name }) => name === 'status');
const booked = ['scheduled', ...(documented?.values ?? [])].filter((status) => status !== 'cancelled');

/**
 * Judges that the list no longer shows a deleted record, or shows it as deleted. `before`: its row until then; where
 * the list did not show the record before, nothing is compared. Throws Inconclusive where its row has no state.
 */
export function judgeNotListed(
  tally: Tally,
  after: ListSearch,
  record: Pick<Listed, 'collection' | 'id'>,
  before: RowBefore,
): void {
  const { collection, id } = record;
  const noun = nounOf(collection);
  const list = `GET ${collection}`;
  const fate = fateOf(after, before, record);
  if (fate === 'still listed') {
    tally.judge(
      findingOn(after.last, {
        message: `Deleted ${noun} is still listed: ${id} in ${list}`,
        expected: 'absent, or shown as deleted',
        actual: 'listed',
        place: 'body',
      }),
    );
  } else if (fate === 'unclear') {
    const newState = changedState(after.row ?? {}, before.row ?? {});
    const message = `Cannot tell whether a deleted ${noun} is gone: ${list} shows ${id}`;
    if (newState === undefined) {
      throw undecided(after.last, `${message} without a state`);
    }
    tally.leaveOpen(findingOn(after.last, { message: `${message} with another ${newState}` }));
  } else if (before.isShown) {
    tally.judge(null);
  }
}

/** A date as text: in ISO 8601, as in mail headers, in a national form, or as seconds or milliseconds since 1970. */
const date = /^\d{4}[-./]\d\d?[-./]\d|^\d\d?[-./]\d\d?[-./]\d{4}|^[A-Z][a-z]{2}, \d|^\d{10}(\d{3})?(\.\d+)?$/;

/** Whether a value is a date, or one with a time. */
export const isDate = (value: unknown): boolean =>
  (typeof value === 'string' && date.test(value)) || (typeof value === 'number' && value > 1e9);

/** What in a row says that its record is gone. `before`: what the row said before the deletion does not count. */
function signsOfEnd(row: JsonObject, before: JsonObject): Found[] {
  const earlier = valuesOf(before);
  return walk(row).filter(({ name, value, pointer }) => value !== earlier.get(pointer) && saysGone(name, value));
}

/** Whether a row says that its record is gone, as a deletion may leave it: by a state, a flag or a date. */
export const isShownGone = (row: JsonObject, before: JsonObject = {}): boolean => signsOfEnd(row, before).length > 0;

/** Whether a booking shows anywhere that it is cancelled: by a state, or by a time or reason of its cancellation. */
export const showsCancelled = (booking: JsonObject | undefined): boolean =>
  walk(booking).some(({ name, value }) => /cancel/i.test(`${name} ${scalarText(value)}`) && saysGone(name, value));

/**
 * Whether a row that says that its record is gone says only that it is not active: a record that still exists may say
 * so too.
 */
export function isOnlyInactive(row: JsonObject, before: JsonObject = {}): boolean {
  const signs = signsOfEnd(row, before);
  const isOfActivity = ({ name, value }: Found): boolean =>
    ofActivity.test(goneName.test(name) || value === false ? name : (scalarText(value) ?? ''));
  return signs.length > 0 && signs.every(isOfActivity);
}

const ofActivity = /activ|enabl|disabl|valid/i;

const valuesOf = (row: JsonObject): ReadonlyMap<string, unknown> =>
  new Map(walk(row).map(({ pointer, value }) => [pointer, value]));

/** Names of fields that every change of a record touches. */
export const ofAnyChange = /updat|modif|chang|version|etag|revision/i;

/**
 * The name of a field whose state, a single word, differs from before: `lifecycle` was `live` and is `trashed`. Or of
 * one that was null and is a date, which may be that of the deletion: `discarded_at`.
 */
export function changedState(row: JsonObject, before: JsonObject): string | undefined {
  const earlier = valuesOf(before);
  const isWord = (value: unknown): boolean => typeof value === 'string' && /^\p{L}[\p{L}_-]*$/u.test(value);
  return walk(row).find(({ name, value, pointer }) => {
    const was = earlier.get(pointer);
    const isOther = (isWord(value) && isWord(was) && value !== was) || (was === null && isDate(value));
    return isOther && !ofAnyChange.test(name);
  })?.name;
}

/**
 * Whether a field says that its record is gone. As states only single words count: prose, and the names of the events
 * that a webhook asks for, may speak of any deletion.
 */
function saysGone(name: string, value: unknown): boolean {
  if (goneName.test(name)) {
    return !isUnset(value);
  }
  return typeof value === 'string'
    ? /^[\w-]+$/.test(value) && (goneState.test(value) || ended.test(value))
    : value === false && /^(is_?)?(active|enabled|valid)$/i.test(name);
}

/** Whether a value is a flag that is not set, in any spelling, or a date that has not come; or holds nothing else. */
const isUnset = (value: unknown): boolean =>
  typeof value === 'object'
    ? Object.values(value ?? {}).every(isUnset)
    : /^(|0|f|false|n|no|none|null|never|0000-.*)$/i.test(scalarText(value) ?? '');

/** Names of fields that say what was done. Others, such as `cancel_url` and `deletable`, say what can be done. */
const goneName =
  /(cancell?|delet|revok|archiv|remov|(de|in)activat|disabl)ed|inactive|(cancel|delet|revo[kc]|archiv|remov|deactiv)[a-z]*_?(at|on|by|date|time|reason)$|cancell?ation$/i;
const goneState = /(cancell?|delet|revo[kc]|archiv|remov|(de|in)activat|disabl)(ed|ing|i?on|ation|al)|inactive/i;
/** Words that count as values only: many an existing record has a field for the date of its end. */
const ended = /expir|terminat|^(rotated|retired|superseded|replaced)$/i;
