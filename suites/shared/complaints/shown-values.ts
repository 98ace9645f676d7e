import { type Found, isObject, type JsonObject, namesId, walk } from '../../../common/json.ts';
import { isSpelledAlike } from '../../../common/words.ts';
import { isUnguessable } from '../../session/reading/unguessable.ts';
import { tellingName, type ValuesOf } from './likely-values.ts';

// The rows of a list show how the records look that a create makes: what a required list of objects holds, and which
// words a deployment has for a kind or a stage. A refusal that says no more than "contacts is required" leaves that open.

/**
 * How a value looks that rows show: without ids, times, addresses and texts of theirs, in place of which the run's own
 * values stand.
 */
export type Template =
  | { readonly constant: string | number | boolean }
  /** The first likely value of a field `like`. */
  | { readonly like: string; readonly says: string }
  | { readonly fields: Readonly<Record<string, Template>> }
  | { readonly members: readonly Template[] };

/** The value of a template. */
export function filled(template: Template, valuesOf: ValuesOf): unknown {
  if ('constant' in template) {
    return template.constant;
  }
  if ('like' in template) {
    return valuesOf(template.like, template.says)[0];
  }
  return 'members' in template
    ? template.members.map((member) => filled(member, valuesOf))
    : Object.fromEntries(Object.entries(template.fields).map(([name, each]) => [name, filled(each, valuesOf)]));
}

/** Most rows that are looked at, and most values of each. */
const mostRows = 20;
const mostValues = 300;
/** Most fields of an object, and levels within each other, that a template takes over. */
const mostFields = 30;
const deepest = 5;

/** What rows show, and the run's own values. */
interface Shown {
  readonly rows: readonly JsonObject[];
  readonly valuesOf: ValuesOf;
}

/** A place within the value of which a template is made. */
interface Place {
  readonly name: string;
  readonly outer?: string | undefined;
  readonly level?: number;
}

/** Words of a template that say how a time is written. */
const showsForm = /^such as|Unix/;

/** How rows show a field, wherever they have it: its objects and lists, or a word that it may hold; undefined: not. */
export function shownTemplate(name: string, shown: Shown): Template | undefined {
  const values = shown.rows.slice(0, mostRows).flatMap((row) => valuesNamed(row, name).slice(0, 1));
  const templates = mostFrequentFirst(values).map((value) => templateOf(value, { name }, shown));
  return templates.find(
    (template) => template !== undefined && (!('like' in template) || showsForm.test(template.says)),
  );
}

function mostFrequentFirst(values: readonly unknown[]): readonly unknown[] {
  const texts = values.map((value) => JSON.stringify(value));
  const counts = Map.groupBy(texts, (text) => text);
  const countAt = (index: number): number => counts.get(texts[index] ?? '')?.length ?? 0;
  return [...values.keys()].sort((one, other) => countAt(other) - countAt(one)).map((index) => values[index]);
}

/** How rows show a whole record, by field. Of a row that only wraps another object, that of the object. */
export function shownRecord(shown: Shown): ReadonlyMap<string, Template> {
  const [row = {}] = shown.rows;
  const [[only, inner] = ['', undefined], ...others] = Object.entries(row);
  const record = others.length === 0 && only !== '' && isObject(inner) ? inner : row;
  const fields = Object.entries(record).slice(0, mostFields);
  return new Map(
    fields.flatMap(([name, value]): [string, Template][] => {
      const template = shownTemplate(name, shown) ?? templateOf(value, { name }, shown);
      return template === undefined ? [] : [[name, template]];
    }),
  );
}

/** The fields of a row, at any depth. Names that begin with @ are those of JSON-LD: `@type` is no spelling of `type`. */
const fieldsOf = (row: JsonObject): readonly Found[] =>
  walk(row, mostValues).filter(({ name }) => !name.startsWith('@'));

/** The values of all fields of that name in a row, those nearest to its root first. */
const valuesNamed = (row: JsonObject, name: string): readonly unknown[] =>
  fieldsOf(row)
    .filter((found) => found.value !== null && isSpelledAlike(found.name, name))
    .sort((one, other) => one.depth - other.depth)
    .map(({ value }) => value);

/** The names of the fields that rows show. */
export const shownNames = (rows: readonly JsonObject[]): readonly string[] => [
  ...new Set(rows.slice(0, mostRows).flatMap((row) => fieldsOf(row).map(({ name }) => name))),
];

function templateOf(value: unknown, place: Place, shown: Shown): Template | undefined {
  const { name, level = 0 } = place;
  if (level > deepest) {
    return undefined;
  }
  if (Array.isArray(value)) {
    const member = templateOf(value[0], { ...place, level: level + 1 }, shown);
    return value.length === 0 || member === undefined ? undefined : { members: [member] };
  }
  if (isObject(value)) {
    const fields = Object.entries(value)
      .slice(0, mostFields)
      .flatMap(([inner, each]): [string, Template][] => {
        const template = templateOf(each, { name: inner, outer: name, level: level + 1 }, shown);
        return template === undefined ? [] : [[inner, template]];
      });
    return fields.length === 0 ? undefined : { fields: Object.fromEntries(fields) };
  }
  return scalarTemplate(value, place, shown);
}

function scalarTemplate(value: unknown, { name, outer }: Place, shown: Shown): Template | undefined {
  const { valuesOf } = shown;
  const like = tellingName(name, outer, valuesOf);
  const [own] = valuesOf(like);
  if (namesId(name)) {
    return own !== undefined && isOwnId(own, valuesOf) ? { like, says: '' } : undefined;
  }
  if (typeof value === 'boolean') {
    return { constant: value };
  }
  if (typeof value === 'number') {
    return numberTemplate(value, like, own);
  }
  return typeof value === 'string' ? textTemplate(value, { like, own, name }, shown) : undefined;
}

function numberTemplate(value: number, like: string, own: unknown): Template | undefined {
  if (value > 1e9 && typeof own === 'string' && time.test(own)) {
    return { like, says: `must be a Unix timestamp in ${value > 1e11 ? 'milliseconds' : 'seconds'}` };
  }
  return typeof own === 'number' ? { like, says: '' } : Math.abs(value) < 1_000 ? { constant: value } : undefined;
}

/** Whether a value is the id of a lead or an agent of the run's. */
const isOwnId = (value: unknown, valuesOf: ValuesOf): boolean =>
  ['lead_id', 'agent_id'].some((name) => valuesOf(name)[0] === value);

const word = /^([a-z]+([_.-][a-z]+)*|[A-Z]+([_-][A-Z]+)*)$/;
const email = /^\S+@\S+$/;
const url = /^[a-z][a-z\d+.-]*:\/\//i;
const path = /^\//;
const phone = /^\+?[\d\s().-]{7,}$/;
const time = /^\d{4}-\d\d-\d\d([T ]|$)/;
/** A time of OData 2: `/Date(1700000000000)/`. */
const odataTime = /^\/Date\(\d+/;
/** A text with a number at its end, or of digits alone, that may refer to another record. */
const likeId = /[a-z]{2,}[_-]?\d+$|^\d{3,}$/i;
/** The longest text that a field is thought to choose from a few. */
const longestChoice = 40;

function textTemplate(
  value: string,
  { like, own, name }: { readonly like: string; readonly own: unknown; readonly name: string },
  { rows }: Shown,
): Template | undefined {
  if (own !== undefined && (time.test(value) || odataTime.test(value))) {
    return { like, says: `such as ${value}` };
  }
  if (time.test(value) || path.test(value) || isUnguessable(value)) {
    return own === undefined ? undefined : { like, says: '' };
  }
  const isOwnAddress = typeof own === 'string' && (email.test(own) || url.test(own) || phone.test(own));
  if (isOwnAddress || email.test(value)) {
    return isOwnAddress ? { like, says: '' } : { like: 'email', says: 'must be an email' };
  }
  if (url.test(value)) {
    return { like: 'url', says: 'must be a URL' };
  }
  if (phone.test(value)) {
    return { like: 'phone', says: 'must be a string' };
  }
  const isProse = typeof own === 'string' && /\s/.test(own);
  const isChoice =
    !isProse && value.length <= longestChoice && (word.test(value) || (!likeId.test(value) && isRepeated(value)));
  return isChoice ? { constant: value } : { like, says: 'must be a string' };

  function isRepeated(text: string): boolean {
    const holders = rows.slice(0, mostRows).filter((row) => valuesNamed(row, name).includes(text));
    return holders.length > 1;
  }
}
