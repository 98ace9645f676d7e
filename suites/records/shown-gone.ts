import { type Found, type JsonObject, scalarText, walk } from '../../common/json.ts';

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
export function saysGone(name: string, value: unknown): boolean {
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
