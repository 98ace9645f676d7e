import { isObject, type JsonObject } from '../../../common/json.ts';
import { boundsIn, isCommaList, isList } from '../../../fixtures/fitting-values.ts';
import type { Complaint } from './complaint.ts';
import type { ValuesOf } from './likely-values.ts';
import { spelledLike } from './name-spelling.ts';
import { filled, shownTemplate, type Template } from './shown-values.ts';

type Body = Record<string, unknown>;

/** A change of a body that a refusal asked for. */
export type Change =
  /** Leaves a field out. `phrase`: what the refusal says of it, without its name. */
  | { readonly drop: string; readonly phrase?: string }
  /** Sets a field to its likely value of that index, or to one of a field `like`. `says`: what the refusal says. */
  | { readonly set: string; readonly form: number; readonly says?: string; readonly like?: string }
  | { readonly set: string; readonly value: unknown }
  /** Sets a field to a value as rows show it. */
  | { readonly set: string; readonly shown: Template }
  /** Spells the names of all fields as this one is spelled, in objects within them, too. */
  | { readonly spelledLike: string }
  /** Moves all fields but `type` into this one. */
  | { readonly into: string }
  /** Changes the object or list in a field. */
  | { readonly within: string; readonly change: Change | ListChange };

/** A change of a list and its members. */
export type ListChange =
  /** Gives it that many members: its own, repeated or cut off. */
  | { readonly count: number }
  /** Keeps the members among these values; where there are none, it becomes the first of the values. */
  | { readonly only: readonly string[] }
  | { readonly without: unknown }
  /** Replaces its members by the likely value with that index, of a field of that name. */
  | { readonly members: string; readonly form: number; readonly says?: string };

/** The body with the changes made in their order. */
export function changed(body: Body, changes: readonly Change[], valuesOf: ValuesOf): Body {
  let fields = { ...body };
  /** What later values, too, spell their names like. */
  let example: string | undefined;
  for (const change of changes) {
    if ('into' in change) {
      const { type, ...others } = fields;
      fields = { ...(type === undefined ? {} : { type }), [change.into]: others };
    } else if ('spelledLike' in change) {
      example = change.spelledLike;
      fields = spelledLike(fields, example) as Body;
    } else if ('within' in change) {
      fields[change.within] = changedWithin(fields[change.within], change.change, valuesOf);
    } else if ('drop' in change) {
      delete fields[change.drop];
    } else {
      const value = settingOf(change, valuesOf);
      fields[change.set] = example === undefined ? value : spelledLike(value, example);
    }
  }
  return fields;
}

function settingOf(change: Extract<Change, { set: string }>, valuesOf: ValuesOf): unknown {
  if ('shown' in change) {
    return filled(change.shown, valuesOf);
  }
  return 'form' in change ? valuesOf(change.like ?? change.set, change.says)[change.form] : change.value;
}

function changedWithin(value: unknown, change: Change | ListChange, valuesOf: ValuesOf): unknown {
  if ('members' in change || 'only' in change || 'without' in change || 'count' in change) {
    return Array.isArray(value) ? changedList(value, change, valuesOf) : value;
  }
  return Array.isArray(value)
    ? value.map((member) => changedWithin(member, change, valuesOf))
    : changed(isObject(value) ? value : {}, [change], valuesOf);
}

function changedList(list: readonly unknown[], change: ListChange, valuesOf: ValuesOf): readonly unknown[] {
  if ('count' in change) {
    return Array.from({ length: change.count }, (_, index) => list[index % list.length]);
  }
  if ('without' in change) {
    return list.filter((member) => !isSame(member, change.without));
  }
  if ('only' in change) {
    const kept = list.filter((member) => change.only.some((one) => one === member));
    return kept.length > 0 ? kept : change.only.slice(0, 1);
  }
  const value = valuesOf(change.members, change.says)[change.form];
  return list.length === 0 ? [] : [value];
}

/** A body that was refused, and what was changed so far. */
export interface RefusedBody {
  readonly complaint: Complaint;
  readonly fields: Body;
  /** The changes that were made before. */
  readonly earlier: readonly Change[];
  readonly valuesOf: ValuesOf;
  /** Rows of the records that the create makes, as lists show them. */
  readonly rows: readonly JsonObject[];
}

/**
 * The changes of the fields that a refusal names: unknown ones are dropped, the others set to another value. One that was
 * not sent is missing, whatever the words.
 */
export function changesOfFields(names: readonly string[], refused: RefusedBody): Change[] {
  const { complaint, fields } = refused;
  const { known } = complaint;
  const unknown = names.filter((name) => name in fields && !known.includes(name) && complaint.isUnknown(name));
  const within = unknown.length === 0 ? unknownWithin(fields, complaint) : [];
  if (within.length > 0) {
    return within;
  }
  // A refusal that lists the known fields shows all unknown ones at once.
  const isDropped = (name: string): boolean => (known.length > 0 ? !known.includes(name) : unknown.includes(name));
  const dropped = unknown.length > 0 ? Object.keys(fields).filter(isDropped) : [];
  const others = names.filter((name) => !known.includes(name) && !dropped.includes(name));
  return [...dropped.map((name) => ({ drop: name })), ...others.flatMap((name) => changeOf(name, refused))];
}

/**
 * Whether what a refusal seems to ask of a field was tried in vain. It was added and left out again, and the refusal says
 * the same as before: then its words name another field, or none. Or it was left out, and is called unknown all the same.
 */
export function isRuledOut(name: string, { complaint, fields, earlier }: RefusedBody): boolean {
  const { phrase } = phraseOf(name, saysOf(name, complaint));
  const drops = name in fields ? [] : earlier.filter((change) => 'drop' in change && change.drop === name);
  const isUndone = isSet(name, earlier) && drops.some((change) => isSame(change, { drop: name, phrase }));
  return isUndone || (drops.length > 0 && complaint.isUnknown(name));
}

function changeOf(name: string, refused: RefusedBody): Change[] {
  const { complaint, fields, earlier, valuesOf } = refused;
  const says = saysOf(name, complaint);
  const isOfList = (Array.isArray(fields[name]) || isList.test(says ?? '')) && !isCommaList.test(says ?? '');
  const allowed = spellingsOf(complaint.firstAllowed.get(name), fields[name])
    .flatMap((one) => (isOfList ? [[one], one] : [one]))
    .find((value) => !isSame(value, fields[name]) && !earlier.some((change) => isSame(change, { set: name, value })));
  if (allowed !== undefined) {
    return [{ set: name, value: allowed }];
  }
  if (name in fields && isUnknownInWords(name, says, refused)) {
    return [{ drop: name, ...phraseOf(name, says) }];
  }
  const count = fittingCount(fields[name], says ?? '');
  if (count !== null) {
    return [{ within: name, change: { count } }];
  }
  const asShown = changeAsShown(name, refused);
  if (asShown !== undefined) {
    return [asShown];
  }
  const isSameAttempt = (change: Change): boolean => 'form' in change && change.set === name && change.says === says;
  // A field that was dropped since begins again: its first value may have been right.
  const tried = name in fields ? earlier.filter(isSameAttempt).length : 0;
  const forms = valuesOf(name, says);
  const form = forms.findIndex((value, index) => index >= tried && !(name in fields && isSame(value, fields[name])));
  if (form !== -1) {
    return [{ set: name, form, ...(says === undefined ? {} : { says }) }];
  }
  return name in fields ? [{ drop: name, ...phraseOf(name, says) }] : [];
}

const saysOf = (name: string, { certain, others, textAbout }: Complaint): string | undefined =>
  certain.has(name) || others.includes(name) ? textAbout(name) : undefined;

const phraseOf = (name: string, says: string | undefined): { readonly phrase?: string } =>
  says === undefined ? {} : { phrase: says.replaceAll(name, '') };

/** Whether a field that was refused in the same words is refused no more since it was left out: those mean "unknown". */
function isUnknownInWords(name: string, says: string | undefined, { earlier, complaint }: RefusedBody): boolean {
  const { phrase } = phraseOf(name, says);
  const isOther = (other: string): boolean => other !== name && !complaint.fields.includes(other);
  const isAlike = (change: Change): boolean => 'drop' in change && change.phrase === phrase && isOther(change.drop);
  return phrase !== undefined && earlier.some(isAlike);
}

/** Sets a field as rows show it, once; not before the value was refused that its name suggests. */
function changeAsShown(name: string, { fields, earlier, valuesOf, rows }: RefusedBody): Change | undefined {
  const isTried = earlier.some((change) => 'shown' in change && change.set === name);
  const isUnknown = valuesOf(name).length === 0;
  const shown = !isTried && (isUnknown || name in fields) ? shownTemplate(name, { rows, valuesOf }) : undefined;
  return shown === undefined || isSame(filled(shown, valuesOf), fields[name]) ? undefined : { set: name, shown };
}

/** An allowed value as the text that a refusal shows and, if that may mean a number or a flag, as one: as sent first. */
function spellingsOf(allowed: string | undefined, sent: unknown): readonly unknown[] {
  if (allowed === undefined) {
    return [];
  }
  const value: unknown = /^(-?(0|[1-9]\d*)(\.\d+)?|true|false)$/.test(allowed) ? JSON.parse(allowed) : allowed;
  return value === allowed ? [allowed] : typeof sent === typeof value ? [value, allowed] : [allowed, value];
}

/** Most members that a list is given. */
const mostMembers = 20;

/** How many members a list needs that a refusal calls too short or too long; null: it is no list, or not called so. */
function fittingCount(value: unknown, says: string): number | null {
  const [least = 1, most = mostMembers] = boundsIn(says);
  if (!Array.isArray(value) || value.length === 0) {
    return null;
  }
  const count = Math.min(Math.max(value.length, least), most, mostMembers);
  return count === value.length || count < 1 ? null : count;
}

/** Whether changes set a field. */
export const isSet = (name: string, changes: readonly Change[]): boolean =>
  changes.some((change) => 'set' in change && change.set === name);

export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Drops the unknown fields of objects in the body. */
const unknownWithin = (fields: Body, { known, fields: named, isUnknown }: Complaint): Change[] =>
  Object.entries(fields).flatMap(([within, value]) =>
    isObject(value) && named.some((one) => one in value && !known.includes(one) && isUnknown(one))
      ? Object.keys(value)
          .filter((one) => !known.includes(one) && (known.length > 0 || named.includes(one)))
          .map((name) => ({ within, change: { drop: name } }))
      : [],
  );
