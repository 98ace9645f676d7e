import { at, isObject, parentOf, pointerNames, scalarText, walk } from '../../common/json.ts';
import { snakeCase } from '../../common/words.ts';

/** The fields that the refusal of a body names. */
interface NamedFields {
  /** Missing in the body. */
  readonly missing: readonly string[];
  /** In the body, and unknown to the deployment. */
  readonly unknown: readonly string[];
}

/** One text of a refusal, with the path of the field that its structure names for it. */
interface Remark {
  readonly text: string;
  readonly path: readonly string[];
}

/** Names under which errors have the field they are about. */
const placeName =
  /^(field|fields|loc|location|params?|parameter|property|path|pointer|attribute|target|source|propertyPath)$/i;
/** Names of objects whose keys are fields. */
const mapName = /^(errors|details|fields|violations|issues|invalid|messages|(validation|field)_?errors)$/i;
/** Names under which errors have something else than fields. */
const errorName = /^(message|msg|code|status|error|type|title|detail|description|reason|success|data|meta|\w*id)$/i;
/** What paths begin with that is no field. */
const bodyName = /^(body|\$|#|json|data|attributes|input|request|payload)?$/i;

const unknownWords =
  /unknown|unrecogni[sz]ed|unexpected|unpermitted|not (?:allowed|permitted|supported)|no such|additional propert|does(?: not|n't) exist|should not exist|extra.?forbidden|unsupported|cannot find field|could not (?:be mapped|find the .* column)/i;
const missingWords =
  /required|missing|must be (?:present|provided|given|set|specified|defined)|must be an? (?:string|number|integer|boolean|array|object)|^invalid value$|(?:ca|can)(?:no|')t be (?:blank|empty|null)|(?:may|should|must) not be (?:blank|empty|null|undefined)|received undefined/i;

/**
 * The fields that a refusal names as data (`{"field": …}`, `{"errors": {…}}`) or quotes. Other words are no names.
 */
export function fieldsNamed(answer: { readonly json: unknown; readonly text: string }, sent: unknown): NamedFields {
  const body = isObject(sent) ? sent : {};
  const said = remarksIn(answer.json ?? answer.text);
  const unknown = said.flatMap(({ text, path }) =>
    unknownWords.test(text) ? namesOf({ text: text.replace(otherNames, ''), path }).filter((name) => name in body) : [],
  );
  const missing = said.flatMap(({ text, path }) =>
    missingWords.test(text) && !unknownWords.test(text)
      ? namesOf({ text, path }).filter((name) => !(name in body) && (path.length > 0 || !isWord.test(name)))
      : [],
  );
  return { missing: unique(missing), unknown: unique(unknown) };
}

/** What follows is what would be known, or what knows it: "unknown field `a`, expected `b`". */
const otherNames = /\b(?:expected|only|one of|allowed (?:fields|values))\b.*| (?:at|on|in|of) \S+$/is;

/** The names of a remark: that of its place, or those in its text. */
const namesOf = ({ text, path }: Remark): readonly string[] => (path.length > 0 ? [path.join('.')] : namesIn(text));

const unique = (names: readonly string[]): string[] => [...new Set(names)].slice(0, mostNames);
const mostNames = 12;

const mostValues = 2_000;

/** The texts of a refusal, each with the field that it is about. */
const remarksIn = (json: unknown): readonly Remark[] =>
  walk(json, mostValues).flatMap(({ pointer, value }): Remark[] => {
    const path = pathAt(json, pointer);
    return typeof value === 'string' && path !== null ? [{ text: value, path }] : [];
  });

/** The field that the object around a text names, or that is the text's key; null: the text is such a name itself. */
function pathAt(json: unknown, pointer: string): readonly string[] | null {
  const isInList = /\/\d+$/.test(pointer);
  const place = pointer.replace(/(\/\d+)+$/, '');
  const around = at(json, parentOf(place));
  const owner = isObject(around) ? around : {};
  // `name` has a field in the `invalid-params` of RFC 9457. Errors of JavaScript have a name, too.
  const isPlace = (key: string): boolean => placeName.test(key) || (key === 'name' && 'reason' in owner);
  const keys = pointerNames(place).filter((name) => !/^\d+$/.test(name));
  if (isPlace(keys.at(-1) ?? '')) {
    return null;
  }
  const named = Object.entries(owner).map(([key, value]) => (isPlace(key) ? fieldPath(value) : []));
  // `{"details": ["…"]}` lists sentences; a field with its sentences has another name.
  const isField = (key: string, index: number): boolean =>
    ![errorName, placeName, mapName].some((other) => other.test(key)) &&
    (mapName.test(keys[index - 1] ?? '') || (isInList && index === keys.length - 1));
  return named.find(({ length }) => length > 0) ?? fieldPath(keys.findLast(isField));
}

/** The path of a field, from a text such as `body.email` or `/data/email`, or from a list of names. */
function fieldPath(place: unknown): readonly string[] {
  if (isObject(place)) {
    const { missingProperty: ofAjv = place.additionalProperty } = place;
    return fieldPath(place.pointer ?? place.path ?? place.parameter ?? place.field ?? ofAjv);
  }
  const parts = [place].flat().flatMap((one) => scalarText(one)?.split(/[./[\]]+/) ?? []);
  const names = parts.filter((part) => part !== '');
  const first = names.findIndex((part) => !bodyName.test(part));
  const isName = names.every((part) => /^[\w$#-]+$/.test(part));
  return isName ? (first < 0 ? names.filter((part) => /^\w/.test(part)).slice(-1) : names.slice(first)) : [];
}

/** How sentences spell names: quoted, as code, and beside words that ask for them. */
const spellings: readonly RegExp[] = [
  /["'`“‘„[]([A-Za-z_][\w.-]*)["'`”’\]]/g,
  /\b([a-z]+(?:_[a-z\d]+)+|[a-z]+(?:[A-Z][a-z\d]+)+)\b/g,
  /(?:^|[\s:;,.])([A-Za-z][\w.]*):?(?: field)? (?:is (?:a )?required|is missing|can(?:'|no)t be blank|should not exist|should not be empty|must be an? \w+)/g,
  /(?:missing|required|unknown)(?: \w+)? (?:field|param|parameter|property|propertie)s?: *([A-Za-z]\w*)/gi,
];

/** Names in words: Laravel says "The starts at field is required." of `starts_at`, Rails "Starts at can't be blank". */
const inWords =
  /(?<=\bThe |(?:^|[:,.(]) *)(?!(?:the|an?) )[a-z]\w*(?: \w+){1,3}(?= field is required| can(?:'|no)t be blank)/gi;

/** go-playground/validator has the name of a struct's field: a tag may spell it in snake case, or in another case. */
const ofGo = /Key: '[\w.]+' Error:Field validation for '(\w+)' failed on the 'required' tag/g;

/** The names that a sentence quotes, spells as code, or says are required. */
function namesIn(said: string): readonly string[] {
  const text = said.replace(ofGo, (_, name: string) => `"${name}" and "${snakeCase(name)}" are required`);
  const spelled = text.replace(inWords, (words) => words.toLowerCase().replaceAll(' ', '_'));
  return spellings.flatMap((spelling) => [...spelled.matchAll(spelling)].map((match) => match[1] ?? ''));
}

/** Words that name no field, unless one of that name was sent. */
const isWord =
  /^(it|this|that|which|param|field|value|body|string|object|array|integer|number|boolean|true|false|null)$/i;
