import { isObject, type JsonObject, scalarText, walk } from '../../../common/json.ts';
import type { Answer } from '../../session/answer.ts';
import { isBodyName, isIndex, partsOf } from './field-path.ts';
import { codeInCapitals, isErrorName, isGeneric, isPredicate, isSentence, isUsual } from './phrases.ts';
import { abridged } from './refusal-text.ts';

// The JSON of a refusal as remarks: its texts, each with the field that the structure names for it. Two structures do
// so: an error that has a place for the field beside its texts, and fields as the keys above texts.

/** One thing that a refusal says. */
export interface Remark {
  /** Empty where the structure names a field and says nothing of it. */
  readonly text: string;
  /** The path of the field that the structure names; empty: none. */
  readonly path: readonly string[];
  /** Whether the keys above the text only may be that path. */
  readonly isWeak: boolean;
  /** Whether the text is a code, in which no field is looked for. */
  readonly isCode: boolean;
}

/** The answer to a body. `exchange`: the call that got it. */
export type RefusedAnswer = Pick<Answer, 'json' | 'text'> & { readonly exchange?: Pick<Answer['exchange'], 'request'> };

/** Most remarks that are taken from a refusal. */
const mostRemarks = 2_000;

/** Where a value of a refusal is. */
interface Where {
  /** The paths that the innermost error around it names. */
  readonly places: readonly (readonly string[])[];
  /** The keys that lead to it, from the last object on whose keys are fields. */
  readonly keys: readonly string[];
  readonly isInMap: boolean;
  readonly isInList: boolean;
}

/** What a refusal says, in its order. `sent`: the body, whose texts a refusal may repeat. */
export function remarksOf({ json, text, exchange }: RefusedAnswer, sent: unknown): readonly Remark[] {
  const calledPath = exchange?.request.url.replace(/^\w+:\/\/[^/]*|[?#].*$/g, '') ?? '';
  const sentTexts = new Set(walk(sent).map(({ value }) => value));
  const where = { places: [], keys: [], isInMap: false, isInList: false };
  return [...remarksIn(abridged(json ?? text, calledPath), where, sentTexts)].slice(0, mostRemarks);
}

function* remarksIn(value: unknown, where: Where, sent: ReadonlySet<unknown>): Generator<Remark> {
  const choices = choicesIn(where.keys.at(-1) ?? '', value);
  if (typeof value === 'string') {
    yield* sent.has(value) ? [] : remarksAt(value, where);
  } else if (choices !== undefined) {
    yield* choices.every((one) => sent.has(one)) ? [] : remarksAt(`must be one of: ${choices.join(', ')}`, where);
  } else if (Array.isArray(value)) {
    for (const [index, one] of value.entries()) {
      yield* remarksIn(one, { ...where, keys: [...where.keys, String(index)], isInList: true }, sent);
    }
  } else if (isObject(value)) {
    yield* remarksInObject(value, where, sent);
  }
}

function* remarksInObject(object: JsonObject, where: Where, sent: ReadonlySet<unknown>): Generator<Remark> {
  const isMap = mapName.test(where.keys.at(-1) ?? '') && hasFields(object);
  const own = placesIn(object, where.isInList);
  const places = own.length > 0 ? own.map((path) => nested(path, where.places)) : where.places;
  const isInMap = isMap || where.isInMap;
  const keys = isMap ? [] : where.keys;
  const keysOf = (key: string): readonly string[] => (where.isInMap && !hasFields(object) ? keys : [...keys, key]);
  let isSilent = own.length > 0;
  for (const [key, value] of Object.entries(object)) {
    if (placesAt(key, value, where.isInList ? object : {}).length === 0) {
      for (const remark of remarksIn(value, { places, keys: keysOf(key), isInMap, isInList: false }, sent)) {
        isSilent = false;
        yield remark;
      }
    }
  }
  yield* isSilent ? places.map((path): Remark => ({ text: '', path, isWeak: false, isCode: true })) : [];
}

/** The allowed values that a list has: several words, and not only those of refusals; undefined: it has none. */
function choicesIn(key: string, value: unknown): readonly string[] | undefined {
  const isOther = textName.test(key) || placeName.test(key) || /^(code|type|tag|rule|constraint)s?$/i.test(key);
  const words = Array.isArray(value) && !isOther ? value : [];
  const areWords = words.every((one) => typeof one === 'string' && /^[\w.-]+$/.test(one));
  return areWords && words.length > 1 && !words.every(isUsual) ? words : undefined;
}

/** Names, such as `defaultMessage` and `fieldErrors`, under which errors have their texts. */
const textName =
  /(^|[a-z_])(message|msg|detail|title|reason|description|error|text|hint|info|cause|summary|violation|issue)s?$/i;

/** Names under which errors have something else: their kind, and what came. */
const kindName =
  /^(codes?|type|kind|rule|constraints?|keyword|values?|params?|parameters?|status|trace|request|expected|received|template|context|ctx|meta|extensions?)$/i;

/** Names of objects whose keys are fields. */
const mapName = /^(errors|details|fields|violations|issues|invalid|messages|(validation|field)_?errors)$/i;

/** Whether the keys of an object may be fields, and are not those of one error. */
function hasFields(object: JsonObject): boolean {
  const entries = Object.entries(object);
  const isOfError = ([name]: readonly [string, unknown]): boolean => textName.test(name) || kindName.test(name);
  return !entries.every(isOfError) || (entries.length === 1 && typeof entries[0]?.[1] !== 'string');
}

/** Names under which errors name a field, and those under which each text of a list names another one. */
const placeName =
  /^(fields|loc|location|missing|required|\w*(field|param|parameter|property|path|attribute|pointer)(_?(name|ref))?)$/i;
const listOfPlaces = /^(fields|missing|required)$/i;

/** The paths that values of an error name, and those of an object in it that has nothing else. */
function placesIn(error: JsonObject, isInList: boolean): (readonly string[])[] {
  const entries = Object.entries(error);
  const own = entries.flatMap(([key, value]) => placesAt(key, value, isInList ? error : {}));
  const inner = entries.flatMap(([, value]) => {
    const fields = isObject(value) ? Object.entries(value) : [];
    const paths = fields.map(([key, one]) => placesAt(key, one, {}));
    return paths.every((one) => one.length > 0) ? paths.flat() : [];
  });
  return inner.length > 0 && own.length > 0 ? inner.map((path) => nested(path, own)) : [...own, ...inner];
}

/** The paths that one value of an error names as a whole; as problem details (RFC 9457) have it, `name` may have one. */
function placesAt(key: string, value: unknown, error: JsonObject): (readonly string[])[] {
  const isProblem =
    key === 'name' && !isErrorName(scalarText(value) ?? '') && Object.keys(error).some((one) => textName.test(one));
  if (!(placeName.test(key) || isProblem)) {
    return [];
  }
  if (listOfPlaces.test(key) || !Array.isArray(value)) {
    const paths = [value].flat().map((text) => (typeof text === 'string' && !/\s/.test(text) ? partsOf(text) : []));
    return paths.every((path) => !path.every(isGeneric)) ? paths : [];
  }
  const steps = value.map((step) => scalarText(isObject(step) ? step.key : step) ?? '');
  const isPath = steps.length > 0 && steps.every((step) => step !== '' && !isSentence(step));
  return isPath ? [steps.length === 1 ? steps.flatMap(partsOf) : steps] : [];
}

/** A path from the field on that the error around it names: nested errors have it so. */
function nested(path: readonly string[], [outer]: readonly (readonly string[])[]): readonly string[] {
  return outer === undefined || path.length > 1 || path[0] === outer.at(-1) ? path : [...outer, ...path];
}

/** What one text says: of each field that its error names, or of that which the keys above it spell. */
function remarksAt(text: string, { places, keys, isInMap, isInList }: Where): readonly Remark[] {
  const name = keys.findLast((key) => !isIndex(key)) ?? '';
  const isCode = kindName.test(name) && !/\s/.test(text);
  if (places.length > 0) {
    return places.map((path) => ({ text, path, isWeak: false, isCode }));
  }
  // Below a field may be the rule that it breaks: `{"voice": {"notBlank": "…"}}`.
  const isRule = isInMap && !isInList && keys.length > 1 && isErrorName(name);
  const isOther = (key: string): boolean => isBodyName(key) || codeInCapitals.test(key) || (isRule && key === name);
  const ofFields = keys.filter((key) => !isOther(key));
  const isField = (key: string): boolean => !isIndex(key) && (isInMap || !(textName.test(key) || kindName.test(key)));
  const last = ofFields.findLastIndex(isField);
  const path = ofFields.slice(isInMap ? 0 : Math.max(last, 0), last + 1).flatMap(partsOf);
  const isProse = /\s|[^\x20-\x7e]/.test(text) || isInList;
  const isWeak = !isInMap && !(isProse && isPredicate(text));
  return [{ text, path: isWeak && !isProse ? [] : path, isWeak, isCode }];
}
