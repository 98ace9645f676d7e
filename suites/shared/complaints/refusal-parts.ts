import { type Found, isObject, parentOf, pointerNames, scalarText, walk } from '../../../common/json.ts';
import { isSpelledAlike } from '../../../common/words.ts';
import type { Answer } from '../../session/answer.ts';
import { fieldOf } from './complaint-sentences.ts';
import { abridged, textName } from './refusal-text.ts';

// The JSON of a refusal: where it names fields, and which of its texts are about which field.

type FoundText = Found & { readonly value: string };

/** A refusal, parsed once for all questions about it. */
export interface RefusalParts {
  /** Its JSON, abridged; undefined where it is not JSON. */
  readonly json: unknown;
  /** Its text, abridged. */
  readonly text: string;
  readonly values: readonly Found[];
  readonly texts: readonly FoundText[];
  /** The values of its texts; of a refusal that is not JSON, its text. */
  readonly sentences: readonly string[];
  /** The texts that are a field's name, or the path to it, by their place: `{"field": "slot.from"}`. */
  readonly fieldNames: readonly FoundText[];
}

/** Most values of a refusal that are looked at. */
const mostValues = 2_000;

/** The answer to a body. `exchange`: the call that got it. */
export type RefusedAnswer = Pick<Answer, 'json' | 'text'> & { readonly exchange?: Pick<Answer['exchange'], 'request'> };

export function partsOf(refusal: RefusedAnswer): RefusalParts {
  const calledPath = refusal.exchange?.request.url.replace(/^\w+:\/\/[^/]*|[?#].*$/g, '') ?? '';
  const json = abridged(refusal.json, calledPath);
  const text = scalarText(abridged(refusal.text, calledPath)) ?? '';
  const values = walk(json, mostValues);
  const texts = values.filter((one): one is FoundText => typeof one.value === 'string');
  const sentences = json === undefined ? [text] : texts.map(({ value }) => value);
  const fieldNames = texts.filter((one) => isFieldName(one, texts) && !isPartOfPath(one, texts));
  return { json, text, values, texts, sentences, fieldNames };
}

/** Names under which error objects name a field. */
const fieldNameName =
  /^(fields|loc|missing|required|\w*(field|param|parameter|property|path|attribute|pointer)(_?(name|ref))?)$/i;

const isFieldName = (text: FoundText, texts: readonly FoundText[]): boolean =>
  fieldNameName.test(text.name) ||
  fieldNameName.test(pointerNames(text.pointer).at(-2) ?? '') ||
  isProblem(text, texts);

/** Whether a text names a field, as in problem details (RFC 9457): `[{"name": "email", "reason": "is required"}]`. */
const isProblem = ({ name, pointer, value }: FoundText, texts: readonly FoundText[]): boolean =>
  name === 'name' &&
  /\/\d+\/name$/.test(pointer) &&
  !/error|exception/i.test(value) &&
  texts.some((one) => parentOf(one.pointer) === parentOf(pointer) && /^(reason|message|detail|hint)$/.test(one.name));

/** Names of lists in which each text names another field. */
const listOfFields = /^(fields|missing|required)$/i;

/** Whether a text is part of a path, but not its end, which names the field: `slot` of `["body", "slot", "from"]`. */
function isPartOfPath({ pointer }: FoundText, texts: readonly FoundText[]): boolean {
  if (listOfFields.test(pointerNames(pointer).at(-2) ?? '')) {
    return false;
  }
  const next = pointer.replace(/\d+$/, (index) => String(Number(index) + 1));
  return next !== pointer && texts.some((one) => one.pointer === next);
}

/** Names of objects whose keys are fields. */
const objectOfFields = /^(errors|details|fields|violations|issues|invalid|messages|(?:validation|field)_?errors)$/i;

/** A sentence without its subject, which is then the name under which it stands: `{"email": "is required"}`. */
const predicate = /^(?:this (?:field|value) )?(is|are|was|must|should|cannot|can't|can not|may not|has to|needs to)\b/i;

/** The fields that the structure of a refusal names, apart from its sentences. */
export function structuredFields({ values, texts, fieldNames }: RefusalParts): string[] {
  const keys = values.flatMap(({ name, value }) => (objectOfFields.test(name) && isObject(value) ? keysOf(value) : []));
  // Where an object has a place for the name of the field, its other keys are no fields.
  const isBesideFieldName = (pointer: string): boolean =>
    fieldNames.some((one) => parentOf(one.pointer) === parentOf(pointer));
  const subjects = texts.flatMap(({ pointer, value }) =>
    predicate.test(value) && !isBesideFieldName(pointer) ? subjectOf(pointer) : [],
  );
  return [...fieldNames.map(({ value }) => fieldOf(value)), ...keys.map(fieldOf), ...subjects];
}

/**
 * The keys of an object and of those in it: outer ones may say where the body came from, `{"json": {"name": […]}}`. The
 * key of a list of errors, each an object, is no field.
 */
const keysOf = (fields: object): string[] =>
  Object.entries(fields).flatMap(([name, value]) => {
    const isListOfErrors = objectOfFields.test(name) && Array.isArray(value) && value.some(isObject);
    return isListOfErrors ? [] : isObject(value) ? [name, ...Object.keys(value)] : [name];
  });

/** The field under whose name a text stands. */
function subjectOf(pointer: string): string[] {
  const name = pointerNames(pointer).findLast((one) => /\D/.test(one)) ?? '';
  return name === '' || textName.test(name) || name.includes('.') ? [] : [fieldOf(name)];
}

/** Whether a text stands under a field's name, or in the object that names the field. */
export function isOfField({ pointer }: FoundText, field: string, { fieldNames }: RefusalParts): boolean {
  if (pointerNames(pointer).some((name) => isSpelledAlike(name, field))) {
    return true;
  }
  const objects = fieldNames
    .filter(({ value }) => isSpelledAlike(fieldOf(value), field))
    .map((one) => one.pointer.replace(/(\/\d+)?$/, '').replace(/\/[^/]*$/, ''));
  return objects.some((object) => object !== '' && pointer.startsWith(`${object}/`));
}
