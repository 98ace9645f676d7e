import { at, isObject, pointerNames, walk } from '../../common/json.ts';

/** What a refusal says of a value within a field that is an object or a list. */
export interface NestedComplaint {
  /** Names of fields, and numbers of items, from the body's top: at least two. */
  readonly path: readonly string[];
  readonly says: string;
}

/** Names under which error objects tell where the trouble is; the field that is missing there has a name of its own. */
const place = /^(field|param|parameter|property|path|loc|location|attribute|pointer|instancePath|propertyName|key)$/i;
const missingName = /^(missingProperty|missing)$/i;

/**
 * Reads which values within fields the refusal of a body is about: `emails.0.subject`, `/emails/0/subject`, `emails[0].subject`,
 * `["body", "emails", 0, "subject"]`, or the same as nested names.
 */
export function nestedComplaints(json: unknown, sent: Readonly<Record<string, unknown>>): NestedComplaint[] {
  const found = walk(json);
  const told = found.flatMap(({ value }) => (isObject(value) ? placedIn(value) : []));
  const keyed = found.flatMap(({ pointer, value }) => {
    const names = pointerNames(pointer);
    const isOneOfSeveral = Array.isArray(at(json, pointer.slice(0, pointer.lastIndexOf('/'))));
    return typeof value === 'string'
      ? [{ parts: partsOf(isOneOfSeveral ? names.slice(0, -1) : names), says: value }]
      : [];
  });
  const spoken = found.flatMap(({ value }) => (typeof value === 'string' ? spokenIn(value) : []));
  const all = [...told, ...keyed, ...spoken].flatMap(({ parts, says }) => {
    const path = pathIn(parts, sent);
    return path === null ? [] : [{ path, says }];
  });
  return [...Map.groupBy(all, ({ path }) => path.join('/')).values()].map((same) => ({
    path: same[0]?.path ?? [],
    says: same.flatMap(({ says }) => (says === '' ? [] : [says])).join('\n'),
  }));
}

interface Told {
  readonly parts: readonly string[];
  readonly says: string;
}

const partsOf = (names: readonly string[]): string[] =>
  names.flatMap((name) => name.split(/[./[\]]/)).filter((part) => part !== '');

/** An error object that says where the trouble is. */
function placedIn(error: Record<string, unknown>): Told[] {
  const source = isObject(error.source) ? error.source : {};
  const where = Object.entries({ ...source, ...error }).find(
    ([name, value]) => place.test(name) && (typeof value === 'string' || Array.isArray(value)),
  );
  if (where === undefined) {
    return [];
  }
  const all = walk(error);
  const missing = all.find(({ name, value }) => missingName.test(name) && typeof value === 'string')?.value;
  const names = [where[1]].flat().map(String);
  const says = all.flatMap(({ name, value }) => (typeof value === 'string' && name !== where[0] ? [value] : []));
  return [{ parts: [...partsOf(names), ...(missing === undefined ? [] : [String(missing)])], says: says.join('\n') }];
}

/** `emails[0].subject is required`. */
const spokenIn = (sentence: string): Told[] =>
  sentence
    .split(/[;,\n]\s*/)
    .flatMap((says) =>
      [...says.matchAll(/[A-Za-z_]\w*(?:\[\d+\]|\.\w+)+/g)].map(([path]) => ({ parts: partsOf([path]), says })),
    );

/** The path from the first field of the body that holds others, as far as there is something to hold. */
function pathIn(parts: readonly string[], sent: Readonly<Record<string, unknown>>): string[] | null {
  const start = parts.findIndex((part) => isHolder(sent[part]));
  const path: string[] = [];
  let held: unknown = sent;
  for (const part of start === -1 ? [] : parts.slice(start)) {
    if (!isHolder(held) || (Array.isArray(held) && !/^\d+$/.test(part))) {
      break;
    }
    path.push(part);
    held = (held as Record<string, unknown>)[part];
  }
  return path.length < 2 ? null : path;
}

const isHolder = (value: unknown): boolean => isObject(value) || Array.isArray(value);

/** The body with a value within a field set; undefined takes it away. */
export function withNested(body: unknown, [name = '', ...rest]: readonly string[], value: unknown): unknown {
  const inner = (held: unknown): unknown => (rest.length === 0 ? value : withNested(held, rest, value));
  if (Array.isArray(body)) {
    const items = body.map((item, index) => (String(index) === name ? inner(item) : item));
    return items.filter((item) => item !== undefined);
  }
  const object = isObject(body) ? body : {};
  return Object.fromEntries(
    Object.entries({ ...object, [name]: inner(object[name]) }).filter(([, held]) => held !== undefined),
  );
}
