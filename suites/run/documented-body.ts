import { isObject, isRows, type JsonObject } from '../../common/json.ts';
import { knownValue, nounReferredTo, type Template } from '../records/likely-bodies.ts';

/**
 * A body as a template: what differs from record to record, such as words, addresses, times and ids of the run, is put
 * in where the body has fields for it.
 */
export function templateOf(call: string, body: JsonObject, schema: JsonObject, isShown: boolean): Template {
  const template = filledIn(call, body, schema, isShown) as Template;
  return JSON.stringify(template).includes('{{run}}') ? template : withWords(template, schema);
}

/**
 * A value of a body with the words for the fields in it. A field that refers to a record is left out where its id is
 * made from the schema, and not shown: no id is invented.
 */
function filledIn(call: string, value: unknown, schema: JsonObject, isShown: boolean): unknown {
  const isShownHere = isShown || showsValues(schema);
  if (Array.isArray(value)) {
    const items = isObject(schema.items) ? schema.items : {};
    return value.map((item) => filledIn(call, item, items, isShownHere));
  }
  if (!isObject(value)) {
    return value;
  }
  const properties = propertiesOf(schema);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]): [string, unknown][] => {
      const property = properties[name] ?? {};
      const rules = rulesOf(property);
      const likely = knownValue(call, name) ?? rules.map(({ format }) => likelyOfFormat[`${format}`]).find(isText);
      if (isText(likely) && /^\{\{\w+_id\}\}$/.test(likely)) {
        return [[name, likely]];
      }
      const isMade = !isShownHere && !showsValues(property);
      if (isMade && nounReferredTo(name) !== null) {
        return [];
      }
      // A text with a pattern is hardly a name, but often an address or a number.
      const isOther = (rule: JsonObject): boolean =>
        isFixed(rule) || (!!rule.pattern && `${likely}`.includes('{{run}}'));
      const isPutIn = isText(field) && isText(likely) && likely.includes('{{') && !rules.some(isOther);
      return [[name, isPutIn ? likely : filledIn(call, field, property, isShownHere)]];
    }),
  );
}

/** What differs from record to record, by the format of its text. */
const likelyOfFormat: Readonly<Record<string, string>> = { email: '{{email}}', 'date-time': '{{slot_start}}' };

/** What a schema says of a text: it may be made of several, as optional ones are. */
const rulesOf = (schema: JsonObject): readonly JsonObject[] => [schema, ...partsOf(schema).flatMap(rulesOf)];

/** Whether a text has to be one of those that its schema names. */
const isFixed = ({ enum: choices, const: only }: JsonObject): boolean => choices !== undefined || only !== undefined;

/** Whether a document shows values for what a schema or a body describes: then none is made up. */
const showsValues = ({ example, examples, default: usual, enum: choices, const: only }: JsonObject): boolean =>
  [example, examples, usual, choices, only].some((shown) => shown !== undefined);

/** A body with the words of the run behind its first free text. */
function withWords(value: JsonObject, schema: JsonObject): JsonObject {
  const properties = propertiesOf(schema);
  const entries = Object.entries(value);
  const at = entries.findIndex(([name, field]) => isFreeText(field, properties[name]));
  const inner = entries.findIndex(([, field]) => isObject(field));
  return Object.fromEntries(
    entries.map(([name, field], index): [string, unknown] => {
      const isInside = at === -1 && index === inner && isObject(field);
      return [name, index === at ? `${field} {{run}}` : isInside ? withWords(field, properties[name] ?? {}) : field];
    }),
  );
}

/** Whether a text may hold the words by which the run finds its records. */
const isFreeText = (value: unknown, schema: JsonObject = {}): boolean =>
  isText(value) &&
  !value.includes('{{') &&
  !rulesOf(schema).some((rule) => isFixed(rule) || [rule.format, rule.pattern].some((one) => one !== undefined));

const isText = (value: unknown): value is string => typeof value === 'string';

/** The properties of an object, those of all that it is made of included. */
export function propertiesOf(schema: JsonObject): Record<string, JsonObject> {
  const own = Object.entries(isObject(schema.properties) ? schema.properties : {});
  const properties = own.filter((entry): entry is [string, JsonObject] => isObject(entry[1]));
  return Object.assign({}, ...partsOf(schema).map(propertiesOf), Object.fromEntries(properties));
}

/** The schemas that a schema is made of. */
const partsOf = ({ allOf, oneOf, anyOf }: JsonObject): readonly JsonObject[] =>
  [allOf, oneOf, anyOf].flatMap((some) => (isRows(some) ? some : []));
