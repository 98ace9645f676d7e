import { at, type Found, isObject, parentOf, pointerNames, scalarText, walk } from '../../../common/json.ts';
import { eventKinds } from '../../../contract/events.ts';
import { isErrorEntry } from './refusal-text.ts';

/** A field, or a member of a list, inside one of the fields of a body, of which a refusal says something. */
export interface InnerField {
  /** Names from the body's field on, as the body spells them; a number stands for a member of a list. */
  readonly path: readonly string[];
  /** All that the refusal says of it. */
  readonly says: string;
}

export const isIndex = (part: string | undefined): boolean => part !== undefined && /^\d+$/.test(part);
/** A path, such as `attendees[0].email`, `/attendees/0/email` or `Booking.Attendees[0].Email`. */
const pathLike = /[A-Za-z_][\w-]*(?:\[[\w-]*\]|[./](?:\d+|[A-Za-z_][\w-]*))+/g;
/** Names under which errors have a path as a list. */
const pathName = /^(path|loc|location|field|property)$/i;
const partsOf = (path: string): string[] => path.split(/[./[\]]+/).filter((part) => part !== '');
/** The property that a sentence misses, or does not know, at a place that it names before. */
const propertyPhrase =
  /(?:required property|missing(?: required)?(?: property| field)?|additional property)\s*:?\s*["'`]([\w-]+)["'`]/i;

/** Most values that are looked at in a refusal. */
const mostValues = 2_000;
/** Most values that are looked at beside a path. */
const mostBeside = 20;
/** Most parts of a path. Nobody's body is as deep, and one that is far deeper could not be written. */
const mostParts = 16;

/**
 * The fields inside those of the body `sent` of which a refusal speaks. `text`: the refusal where it is not JSON.
 * `wrapper`: the field that contains the body.
 */
export function innerFields(json: unknown, text: string, sent: unknown, wrapper?: string): InnerField[] {
  const all =
    json === undefined
      ? pathsInText(text, sent)
      : walk(json, mostValues).flatMap((found) => innerFieldsAt(json, found, sent));
  const byName = new Map<string, InnerField>();
  for (const { path, says } of all) {
    const name = path.join('/');
    byName.set(name, { path, says: [byName.get(name)?.says, says].filter(Boolean).join('\n') });
  }
  // Laravel cuts labels: "The contact.full name field is required", "The business hours.start field is required".
  const isCut = (name: string): boolean =>
    [...byName.keys()].some((other) => other.startsWith(`${name}_`) || other.endsWith(`_${name}`));
  return [...byName].flatMap(([name, inner]) =>
    isCut(name) || inner.path[0] === wrapper || isOwnPath(inner, sent) ? [] : [inner],
  );
}

/** Whether a path begins with a name for the record, and only says what is wrong with a field that was sent. */
const isOwnPath = ({ path: [first = '', ...rest], says }: InnerField, sent: unknown): boolean =>
  isObject(sent) && !(first in sent) && recordName.test(first) && (rest.at(-1) ?? '') in sent && !lacks.test(says);

/** The inner fields of which one value of a refusal speaks. */
function innerFieldsAt(json: unknown, { pointer, value }: Found, sent: unknown): InnerField[] {
  const names = pointerNames(pointer);
  // In JSON:API, a pointer stands in an object of its own: `{"source": {"pointer": "/data/attributes/slot"}, "detail":
  // …}`.
  const holder = parentOf(pointer);
  const around = at(json, names.at(-2) === 'source' ? parentOf(holder) : holder);
  if (Array.isArray(value) && value.length > 1 && (pathName.test(names.at(-1) ?? '') || value.some(Number.isInteger))) {
    return innerPath(
      value.map((step) => scalarText(step) ?? ''),
      sent,
    ).map((path) => ({ path, says: textsOf(around) }));
  }
  // Spring's codes of an error have paths of their own: `NotNull.contact.email`.
  if (typeof value !== 'string' || names.some((name) => /^codes?$/.test(name))) {
    return [];
  }
  const property = ajvPathName.test(names.at(-1) ?? '') ? propertyBeside(around) : undefined;
  if (property !== undefined) {
    return innerPath([...partsOf(value), property], sent).map((path) => ({ path, says: textsOf(around, value) }));
  }
  const inText = pathsInText(value, sent);
  if (inText.length === 0) {
    return innerFieldByKeys(isErrorEntry(at(json, holder)) ? names.slice(0, -1) : names, value, sent);
  }
  const isPathAlone = !/\s/.test(value);
  return inText.map(({ path, says }) =>
    withProperty({ path, says: isPathAlone ? textsOf(around, value) : says }, propertyBeside(around)),
  );
}

/** The inner field whose path the keys around a text spell: `{"attendees": [{"email": ["is required"]}]}`. */
function innerFieldByKeys(names: readonly string[], text: string, sent: unknown): InnerField[] {
  const keys = names.flatMap(partsOf);
  const dotted = names.findLast((name) => name.includes('.'));
  const paths = innerPath(isIndex(keys.at(-1)) ? keys.slice(0, -1) : keys, sent, {
    lackedPath: partsOf(dotted ?? ''),
    isSurelyField: lacks.test(text),
  });
  return paths.filter((path) => valueAt(sent, path) !== text).map((path) => ({ path, says: text }));
}

/** Names under which ajv gives the path of an object. Beside it stands the object's missing or unknown property. */
const ajvPathName = /^(instancePath|dataPath|instance_path)$/;
function propertyBeside(around: unknown): string | undefined {
  const found = walk(around, mostBeside).find(({ name }) => /^(missing|additional)Property$/.test(name))?.value;
  return typeof found === 'string' ? found : undefined;
}

/** An inner field or, where a property of it is given, that property. */
const withProperty = (inner: InnerField, property: string | undefined): InnerField =>
  property === undefined || inner.path.at(-1) === property ? inner : { ...inner, path: [...inner.path, property] };

/** Separates complaints: `slot.from is required; slot.to is unknown`. */
const betweenComplaints = /\n|;\s+|,\s+(?=["'`]?[\w.[\]/-]+["'`]? (?:is|must|should|cannot|has|may)\b)/;

/** The inner fields whose paths a text spells, each with the complaint in which it stands. */
const pathsInText = (text: string, sent: unknown): InnerField[] =>
  text.split(betweenComplaints).flatMap((complaint) => pathsIn(complaint, sent));

/** `gdpr.accepted is required`, `missing: gdpr.accepted`. */
const lacks = /\b(?:required|missing|(?:should|must) be defined|(?:not|n't) be (?:null|empty|blank))\b/i;
/** Whether a complaint is nothing but the path, or says that something is lacking. */
const isAboutLack = (complaint: string, path: string): boolean =>
  complaint.replace(/^(#?\/|\$)/, '') === path || lacks.test(complaint);

function pathsIn(complaint: string, sent: unknown): InnerField[] {
  const property = propertyPhrase.exec(complaint)?.[1];
  return [...withPlainPaths(complaint).matchAll(pathLike)].flatMap(([found]) => {
    if (isValue(found, sent)) {
      return [];
    }
    const holder = partsOf(found);
    const parts = property === undefined || holder.at(-1) === property ? holder : [...holder, property];
    const paths = innerPath(parts, sent, { isSurelyField: isAboutLack(complaint, found) });
    return paths.map((path) => ({
      path,
      says: complaint.replace(found, holder.findLast((part) => !isIndex(part)) ?? ''),
    }));
  });
}

/** A complaint without URLs and types, which hold no paths of the body, and with labels as paths: `contact.full name field`. */
const withPlainPaths = (complaint: string): string =>
  complaint
    .replace(/\w+:\/\/\S+/g, '')
    .replace(/\btype ["'`][\w.]+["'`]/g, 'type')
    .replace(
      /(\.[a-z]+)((?: (?!is|are|must|has|may|should|cannot)[a-z]+){1,3}) field\b/g,
      (_, first: string, more: string) => first + more.replaceAll(' ', '_'),
    )
    .replace(
      /\b(The )((?:[a-z]+ )+)(?=\w+\.\w+ field\b)/,
      (_, the: string, more: string) => the + more.replaceAll(' ', '_'),
    );

/** Whether a path is a value of the body or of the documents: then the complaint is about the field that holds it. */
const isValue = (path: string, sent: unknown): boolean =>
  eventKinds.some((name) => name === path) || walk(sent, mostValues).some(({ value }) => value === path);

const textsOf = (around: unknown, path?: string): string =>
  walk(around, mostBeside)
    .flatMap(({ value }) => (typeof value === 'string' && value !== path ? [value] : []))
    .join('\n');

/** Names for the body as a whole, which may stand before those of its fields. */
const bodyName = /^(body|data|attributes|request|payload|params|input|json|root)$/i;
/** Names for the record that the body makes, which may stand there too. */
const recordName =
  /^([A-Z].*|agents?|leads?|bookings?|webhooks?|keys?|drafts?|updates?|model|record|resource|item|object|dto)$/;
/** Most names in the path of a field that the body lacks. */
const deepest = 3;

/**
 * The path of an inner field, from the body's field on; none where the parts name no field inside an object or list of
 * the body. `lackedPath`: the parts that may be the path of an inner field whose outer field the body lacks. They are
 * one where the body has a field of the last name, which was refused, or where `isSurelyField`: the refusal clearly
 * names a field by them.
 */
function innerPath(
  parts: readonly string[],
  sent: unknown,
  { lackedPath = parts, isSurelyField = false }: { lackedPath?: readonly string[]; isSurelyField?: boolean } = {},
): (readonly string[])[] {
  if (parts.length > mostParts) {
    return [];
  }
  const holders = isObject(sent) ? Object.keys(sent).filter((name) => isHolder(sent[name])) : [];
  const spelling = (part: string): string | undefined =>
    holders.find((name) => name === part) ?? holders.find((name) => bare(name) === bare(part));
  const start = parts.findIndex((part) => spelling(part) !== undefined);
  if (start === -1) {
    // Bean Validation names the method before its argument: `create.request.email`.
    const ofBody = lackedPath.slice(0, 2).findLastIndex((part) => bodyName.test(part));
    const path = lackedPath.slice(ofBody + 1);
    const isNested = path.length > 1 && path.length <= deepest && !path.some(isIndex);
    const isSent = isObject(sent) && Object.hasOwn(sent, path.at(-1) ?? '');
    return isNested && (isSent || (isSurelyField && !recordName.test(path[0] ?? ''))) ? [path] : [];
  }
  const holder = spelling(parts[start] as string) as string;
  const rest = parts.slice(start + 1);
  // Where the body's own names are capitalised, those of the refusal are not names in code.
  return rest.length === 0 ? [] : [[holder, ...(/^[A-Z]/.test(holder) ? rest : rest.map(inSnake))]];
}

/** A name in code, `Email`, in snake case: `email`. One like `Stage__c` is in no usual case, and stays as it is. */
export const inSnake = (name: string): string =>
  /^[A-Z][A-Za-z0-9]*$/.test(name) ? name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase() : name;

const isHolder = (value: unknown): boolean => typeof value === 'object' && value !== null;
const bare = (name: string): string => name.replace(/[^a-z0-9]/gi, '').toLowerCase();

/** The value at a path inside a body. */
export const valueAt = (body: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (isHolder(value) ? (value as Record<string, unknown>)[name] : undefined), body);
