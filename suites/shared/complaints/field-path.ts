import { isObject } from '../../../common/json.ts';
import { alphanumeric, snakeCase } from '../../../common/words.ts';

export const isIndex = (part: string | undefined): boolean => part !== undefined && /^\d+$/.test(part);

/** The parts of a path: of `attendees[0].email`, `/attendees/0/email`, `$.attendees.0.email`. */
export const partsOf = (path: string): string[] =>
  path
    .replace(/^[#$]+/, '')
    .split(/[./[\]"]+/)
    .filter((part) => part !== '');

/** The field at the end of a path: `name` of `/lead/name`, `lead.name`, `body.lead[name]`. `FullName` is `full_name`. */
export const fieldOf = (path: readonly string[]): string => inSnake(path.findLast((part) => /\D/.test(part)) ?? '');

/** A name in code, `Email`, in snake case: `email`. One like `Stage__c` is in no usual case, and stays as it is. */
export const inSnake = (name: string): string => (/^[A-Z][A-Za-z0-9]*$/.test(name) ? snakeCase(name) : name);

const isHolder = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** The value at a path inside a body. */
export const valueAt = (body: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (isHolder(value) ? (value as Record<string, unknown>)[name] : undefined), body);

/** Names for the body as a whole, which may be before those of its fields. */
const bodyName = /^(body|data|attributes|request|payload|params|input|json|root|obj)$/i;
/** Names for the record that the body makes, which may be there too. */
const recordName =
  /^([A-Z].*|agents?|leads?|bookings?|webhooks?|keys?|drafts?|updates?|model|record|resource|item|object|dto)$/;
/** Most names in the path of a field that the body lacks. */
const deepest = 3;
/** Most parts of a path. Nobody's body is as deep, and one that is far deeper could not be written. */
const mostParts = 16;

export const isBodyName = (name: string | undefined): boolean => name === undefined || bodyName.test(name);

/**
 * The path of an inner field, from the body's field on, as the body spells it; null where the parts name no field inside
 * an object or list of the body, and none that it may lack. `isLacking`: the refusal says that something is lacking.
 */
export function innerPath(parts: readonly string[], sent: unknown, isLacking: boolean): readonly string[] | null {
  const fields = isObject(sent) ? sent : {};
  const holders = Object.keys(fields).filter((name) => isHolder(fields[name]));
  const spelling = (part: string): string | undefined =>
    holders.find((name) => name === part) ?? holders.find((name) => alphanumeric(name) === alphanumeric(part));
  const start = parts.length > mostParts ? -1 : parts.findIndex((part) => spelling(part) !== undefined);
  const holder = spelling(parts[start] ?? '');
  const rest = parts.slice(start + 1);
  // Where the body's own names are capitalised, those of the refusal are not names in code.
  const inHolder = rest.map((name) => (/^[A-Z]/.test(holder ?? '') ? name : inSnake(name)));
  const path = holder === undefined ? lackedPath(parts, fields, isLacking) : [holder, ...inHolder];
  const [first = '', last = ''] = [path[0], path.at(-1)];
  // A path that begins with a name for the record may only say what is wrong with a field that was sent.
  const isOwn = !Object.hasOwn(fields, first) && recordName.test(first) && Object.hasOwn(fields, last) && !isLacking;
  return path.length < 2 || isOwn ? null : path;
}

/** The path of a field whose outer field the body lacks. Bean Validation names the method first: `create.request.email`. */
function lackedPath(parts: readonly string[], fields: object, isLacking: boolean): readonly string[] {
  const ofBody = parts.slice(0, 2).findLastIndex((part) => bodyName.test(part));
  const path = parts.slice(ofBody + 1);
  const isPlausible = Object.hasOwn(fields, path.at(-1) ?? '') || (isLacking && !recordName.test(path[0] ?? ''));
  return path.length <= deepest && !path.some(isIndex) && isPlausible ? path : [];
}
