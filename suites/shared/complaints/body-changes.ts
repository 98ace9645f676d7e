import { isObject } from '../../../common/json.ts';
import { boundsIn, isList } from '../../../fixtures/fitting-values.ts';
import type { Complaint } from './complaint.ts';

type Body = Record<string, unknown>;

/** A change of a body: what a refusal asked for. */
export type Change =
  | { readonly drop: string }
  /** One of the likely values of the field, or of one of the name `like`, by its number; `says`: what the deployment says of it. */
  | { readonly set: string; readonly form: number; readonly says?: string; readonly like?: string }
  | { readonly set: string; readonly value: unknown }
  /** All but a type goes into this field. */
  | { readonly into: string }
  /** Of what stands in a field: of an object there, or of a list. */
  | { readonly within: string; readonly change: Change | ListChange };

/** A change of a list and its members. */
export type ListChange =
  /** It has so many members: the same ones again, or the first of them. */
  | { readonly count: number }
  /** It keeps the members that may stand in it; the first value that may where it has none of them. */
  | { readonly only: readonly string[] }
  | { readonly without: unknown }
  /** Each member is one of the likely values of a field of that name. */
  | { readonly members: string; readonly form: number; readonly says?: string };

/** The likely values of a field, likeliest first. */
export type ValuesOf = (field: string, says?: string) => readonly unknown[];

/** A body with changes made to it. */
export function changed(body: Body, changes: readonly Change[], valuesOf: ValuesOf): Body {
  let fields = { ...body };
  for (const change of changes) {
    if ('into' in change) {
      const { type, ...others } = fields;
      fields = { ...(type === undefined ? {} : { type }), [change.into]: others };
    } else if ('within' in change) {
      fields[change.within] = changedWithin(fields[change.within], change.change, valuesOf);
    } else if ('drop' in change) {
      delete fields[change.drop];
    } else {
      fields[change.set] =
        'form' in change ? valuesOf(change.like ?? change.set, change.says)[change.form] : change.value;
    }
  }
  return fields;
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

/** A body that was refused, and how it came about. */
export interface Refused {
  readonly complaint: Complaint;
  readonly fields: Body;
  /** The changes made to it already. */
  readonly earlier: readonly Change[];
  readonly valuesOf: ValuesOf;
}

/** What to change after a refusal that names these fields: drop what is not known, set what is missing, or set it otherwise. */
export function changesOfFields(names: readonly string[], refused: Refused): Change[] {
  const { complaint, fields } = refused;
  if (!complaint.unknown) {
    return names.flatMap((name) => changeOf(name, refused));
  }
  const { known } = complaint;
  // Where it lists what it knows, one refusal tells of all the others.
  const dropped =
    known.length > 0 ? Object.keys(fields) : names.filter((name) => name in fields && complaint.isUnknown(name));
  const others = names.filter((name) => !complaint.isUnknown(name));
  const isTopLevel = names.some((name) => name in fields && !known.includes(name));
  return isTopLevel
    ? [
        ...dropped.filter((name) => !known.includes(name)).map((name) => ({ drop: name })),
        ...others.flatMap((name) => changeOf(name, refused)),
      ]
    : dropWithin(fields, complaint);
}

/** Where nothing says which fields are not known: those go that no refusal has asked for, and what is missing comes. */
export function unaskedChanges(names: readonly string[], refused: Refused): Change[] {
  const { complaint, fields, earlier } = refused;
  const isAsked = (name: string): boolean => earlier.some((change) => 'set' in change && change.set === name);
  const missing = names.filter((name) => !(name in fields) && complaint.sure.has(name));
  const unasked = Object.keys(fields).filter((name) => !isAsked(name));
  return complaint.unknown
    ? [...unasked.map((name) => ({ drop: name })), ...missing.flatMap((name) => changeOf(name, refused))]
    : [];
}

function changeOf(name: string, { complaint, fields, earlier, valuesOf }: Refused): Change[] {
  const allowed = complaint.allowed.get(name);
  const says = complaint.sure.has(name) ? complaint.about(name) : undefined;
  const value = Array.isArray(fields[name]) || isList.test(says ?? '') ? [allowed] : allowed;
  if (allowed !== undefined && !isSame(value, fields[name])) {
    return [{ set: name, value }];
  }
  const count = fittingCount(fields[name], says ?? '');
  if (count !== null) {
    return [{ within: name, change: { count } }];
  }
  const isAgain = (change: Change): boolean => 'form' in change && change.set === name && change.says === says;
  // What was dropped meanwhile may have been right.
  const tried = name in fields ? earlier.filter(isAgain).length : 0;
  const forms = valuesOf(name, says);
  const form = forms.findIndex((value, index) => index >= tried && !(name in fields && isSame(value, fields[name])));
  if (form !== -1) {
    return [{ set: name, form, ...(says === undefined ? {} : { says }) }];
  }
  return name in fields ? [{ drop: name }] : [];
}

/** Most members that a list is given. */
const mostMembers = 20;

/** How many members a list is to have that is told to be too short or too long; null: of another value, or one that is told nothing of that. */
function fittingCount(value: unknown, says: string): number | null {
  const [least = 1, most = mostMembers] = boundsIn(says);
  if (!Array.isArray(value) || value.length === 0) {
    return null;
  }
  const count = Math.min(Math.max(value.length, least), most, mostMembers);
  return count === value.length || count < 1 ? null : count;
}

export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** An object among the fields may hold what is not known. */
const dropWithin = (fields: Body, { known, fields: named }: Complaint): Change[] =>
  Object.entries(fields).flatMap(([within, value]) =>
    isObject(value) && named.some((one) => one in value && !known.includes(one))
      ? Object.keys(value)
          .filter((one) => !known.includes(one) && (known.length > 0 || named.includes(one)))
          .map((name) => ({ within, change: { drop: name } }))
      : [],
  );
