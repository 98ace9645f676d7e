import { at, isObject, parentOf, pointerNames, walk } from '../../../common/json.ts';
import { eventKinds } from '../../../contract/events.ts';

/** A field, or a member of a list, inside one of the fields of a body. */
export interface Inner {
  /** Names from the body's field on, as the body spells them; a number stands for a member of a list. */
  readonly path: readonly string[];
  /** All that is said of it. */
  readonly says: string;
}

export const isIndex = (part: string | undefined): boolean => part !== undefined && /^\d+$/.test(part);
/** `attendees[0].email`, `/attendees/0/email`, `Booking.Attendees[0].Email`: names with dots, slashes or brackets between. */
const pathLike = /[A-Za-z_][\w-]*(?:\[[\w-]*\]|[./](?:\d+|[A-Za-z_][\w-]*))+/g;
/** Names under which errors have a path as a list. */
const isPath = /^(path|loc|location|field|property)$/i;
const partsOf = (path: string): string[] => path.split(/[./[\]]+/).filter((part) => part !== '');
/** What a refusal misses, or does not know, at the place that it names. */
const missing =
  /(?:required property|missing(?: required)?(?: property| field)?|additional property)\s*:?\s*["'`]([\w-]+)["'`]/i;

/** Most values that are looked at in a refusal, and beside a path. */
const [mostValues, mostAround] = [2_000, 20];

/** What a refusal says of what stands inside the fields of the body that was sent, by the paths that it spells. */
export function innerFields(json: unknown, text: string, sent: unknown): Inner[] {
  const told =
    json === undefined ? spelt(text, sent) : walk(json, mostValues).flatMap((one) => innerAt(json, one, sent));
  const paths = new Map<string, Inner>();
  for (const { path, says } of told) {
    const name = path.join('/');
    paths.set(name, { path, says: [paths.get(name)?.says, says].filter(Boolean).join('\n') });
  }
  // `contact.full_name` may be a label too: "The contact.full name field is required", "The business hours.start field is required".
  const isCut = (name: string): boolean =>
    [...paths.keys()].some((other) => other.startsWith(`${name}_`) || other.endsWith(`_${name}`));
  return [...paths].flatMap(([name, inner]) => (isCut(name) ? [] : [inner]));
}

function innerAt(json: unknown, { pointer, value }: ReturnType<typeof walk>[number], sent: unknown): Inner[] {
  const names = pointerNames(pointer);
  const around = at(json, parentOf(pointer));
  if (Array.isArray(value) && value.length > 1 && (isPath.test(names.at(-1) ?? '') || value.some(Number.isInteger))) {
    return pathIn(value.map(String), sent).map((path) => ({ path, says: textsOf(around) }));
  }
  if (typeof value !== 'string') {
    return [];
  }
  const lacking = isPlace.test(names.at(-1) ?? '') ? propertyIn(around) : undefined;
  if (lacking !== undefined) {
    const path = pathIn([...partsOf(value), lacking], sent);
    return path.map((one) => ({ path: one, says: textsOf(around, value) }));
  }
  const inSentence = spelt(value, sent);
  const isPathAlone = !/\s/.test(value);
  if (inSentence.length > 0) {
    return inSentence
      .map(({ path, says }) => ({ path, says: isPathAlone ? textsOf(around, value) : says }))
      .map(toMissing(around));
  }
  // `{"attendees": [{"email": ["is required"]}]}`: the keys spell the path.
  const keys = names.flatMap(partsOf);
  const dotted = names.findLast((name) => name.includes('.'));
  const path = pathIn(isIndex(keys.at(-1)) ? keys.slice(0, -1) : keys, sent, {
    lacking: partsOf(dotted ?? ''),
    isPlain: lacks.test(value),
  });
  return path.filter((one) => valueAt(sent, one) !== value).map((one) => ({ path: one, says: value }));
}

/** Where ajv says a place, and beside it what is missing or unknown there. */
const isPlace = /^(instancePath|dataPath|instance_path)$/;
function propertyIn(around: unknown): string | undefined {
  const named = walk(around, mostAround).find(({ name }) => /^(missing|additional)Property$/.test(name))?.value;
  return typeof named === 'string' ? named : undefined;
}

/** `{"instancePath": "/attendees/0", "params": {"missingProperty": "email"}}` is about the email of the attendee. */
const toMissing =
  (around: unknown) =>
  (inner: Inner): Inner => {
    const named = propertyIn(around);
    return named !== undefined && inner.path.at(-1) !== named ? { ...inner, path: [...inner.path, named] } : inner;
  };

/** Where one complaint ends and another begins: `slot.from is required; slot.to is unknown`. */
const between = /\n|;\s+|,\s+(?=["'`]?[\w.[\]/-]+["'`]? (?:is|must|should|cannot|has|may)\b)/;

/** The paths that a text spells, each with what its own complaint says. */
const spelt = (text: string, sent: unknown): Inner[] => text.split(between).flatMap((one) => speltIn(one, sent));

/** `gdpr.accepted is required`, `missing: gdpr.accepted`, or nothing but the path. */
const lacks = /\b(?:required|missing|should be defined|(?:not|n't) be (?:null|empty|blank))\b/i;
const isPlainly = (sentence: string, path: string): boolean =>
  sentence.replace(/^#?\//, '') === path || lacks.test(sentence);

function speltIn(sentence: string, sent: unknown): Inner[] {
  // What stands in an address is no path of a body; "contact.full name field" is Laravel's label of `contact.full_name`.
  const plain = sentence
    .replace(/\w+:\/\/\S+/g, '')
    .replace(
      /(\.[a-z]+)((?: (?!is|are|must|has|may|should|cannot)[a-z]+){1,3}) field\b/g,
      (_, first: string, more: string) => first + more.replaceAll(' ', '_'),
    )
    .replace(
      /\b(The )((?:[a-z]+ )+)(?=\w+\.\w+ field\b)/,
      (_, the: string, more: string) => the + more.replaceAll(' ', '_'),
    );
  return [...plain.matchAll(pathLike)].flatMap(([found]) => {
    if (isValue(found, sent)) {
      return [];
    }
    const name = missing.exec(sentence)?.[1];
    return pathIn(partsOf(found), sent, { isPlain: isPlainly(sentence, found) }).map((path) => ({
      path: name === undefined || path.at(-1) === name ? path : [...path, name],
      says: sentence.replace(found, path.findLast((part) => !isIndex(part)) ?? ''),
    }));
  });
}

/** Whether a path is a value of the body, or one that the documents name: what is said of it is said of the field that holds it. */
const isValue = (path: string, sent: unknown): boolean =>
  eventKinds.some((name) => name === path) || walk(sent, mostValues).some(({ value }) => value === path);

const textsOf = (around: unknown, path?: string): string =>
  walk(around, mostAround)
    .flatMap(({ value }) => (typeof value === 'string' && value !== path ? [value] : []))
    .join('\n');

/** Names for the body as a whole, which stand before those of its fields. */
const ofBody = /^(body|data|attributes|request|payload|params|input|json|root)$/i;
/** Names for the record that the body makes, which may stand there too. */
const ofRecord =
  /^([A-Z].*|agents?|leads?|bookings?|webhooks?|keys?|drafts?|updates?|model|record|resource|item|object|dto)$/;
/** Most names in the path of a field that the body lacks. */
const deepest = 3;

/**
 * The path from the field of the body on, where that holds something. `lacking`: what may be the path of a field that it lacks; it is one
 * where the body has its last name, and that did not do, or where `isPlain`: the refusal plainly names a field by it.
 */
function pathIn(
  parts: readonly string[],
  sent: unknown,
  { lacking = parts, isPlain = false }: { lacking?: readonly string[]; isPlain?: boolean } = {},
): (readonly string[])[] {
  const names = isObject(sent) ? Object.keys(sent).filter((name) => isHolder(sent[name])) : [];
  const spelling = (part: string): string | undefined => names.find((name) => bare(name) === bare(part));
  const from = parts.findIndex((part) => spelling(part) !== undefined);
  const rest = parts.slice(from + 1);
  if (from === -1) {
    const first = lacking.findIndex((part) => !ofBody.test(part));
    const path = first === -1 ? [] : lacking.slice(first);
    const isNested = path.length > 1 && path.length <= deepest && !path.some(isIndex);
    const isTried = isObject(sent) && Object.hasOwn(sent, path.at(-1) ?? '');
    return isNested && (isTried || (isPlain && !ofRecord.test(path[0] ?? ''))) ? [path] : [];
  }
  return rest.length === 0 ? [] : [[spelling(parts[from] as string) as string, ...rest.map(inSnake)]];
}

/** `Email`, a name in the code, is `email`. */
export const inSnake = (name: string): string =>
  /^[A-Z]/.test(name) ? name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase() : name;

const isHolder = (value: unknown): boolean => typeof value === 'object' && value !== null;
const bare = (name: string): string => name.replace(/[^a-z0-9]/gi, '').toLowerCase();

/** The value at a path inside a body. */
export const valueAt = (body: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (isHolder(value) ? (value as Record<string, unknown>)[name] : undefined), body);
