import { type Found, isObject, parentOf, pointerNames, walk } from '../../../common/json.ts';
import type { Answer } from '../../session/answer.ts';
import {
  aboutIn,
  allowedIn,
  allowedValues,
  fieldOf,
  firstAllowed,
  namedIn,
  namedInCode,
  quotedIn,
  spelt,
} from './complaint-sentences.ts';
import { type Inner, innerFields, inSnake } from './inner-fields.ts';
import { abridged } from './refusal-text.ts';

/** What a deployment says is wrong with a body. */
export interface Complaint {
  /** Fields that it names, in the order in which it names them. */
  readonly fields: readonly string[];
  /** Those of them that are surely fields: more than a word of a sentence tells so. */
  readonly sure: ReadonlySet<string>;
  /** It says that it does not know them, or some of them. */
  readonly unknown: boolean;
  /** It does not know this one, as far as it can be told which are meant. */
  isUnknown(field: string): boolean;
  /** The only fields that it knows, where it lists them. */
  readonly known: readonly string[];
  /** The field as the refusal spells it. */
  spelled(field: string): string;
  /** It says that a time does not suit. */
  readonly ofTime: boolean;
  /** The first value that it says a field may have. */
  readonly allowed: ReadonlyMap<string, string>;
  /** All that it says of a field. */
  about(field: string): string;
  /** What it says of what stands inside fields of the body. */
  readonly inner: readonly Inner[];
}

const unknownField =
  /unknown(?! (variant|value|option|enum))|unexpected|unrecogni[sz]ed|not allowed|not permitted|unpermitted|unspecified|additional propert|should not exist|be not present|is not (a|an) ((valid|known|recogni[sz]ed|supported) )?(field|property|parameter|attribute)|(is|are) not (known|recogni[sz]ed)\b|no such (field|column|property|attribute)|extra (field|input)|extraneous|unsupported field|does not have/i;
/** `unknown field "x", expected one of "name", "email"`: what comes after these words are all fields there are. */
const knownFields =
  /(?:field|key|property|parameter)\b.{0,80}?(?:expected|allowed|known|valid)(?: fields)?(?: are| is)?:?(?: one of)?:? (.*)$/i;

/** Words about a time that does not suit, and not about one that is missing or ill-formed. */
const unsuited =
  /\bslots?\b|availab|(business|working|office|opening) (hours|days|time)|\b(past|future|weekdays?|weekends?|advance|ahead|taken|booked|busy|overlaps?|conflicts?|conflicting|calendar|notice)\b|too (soon|early|late|far|short|long)|(\d+|full|whole|half|quarter)[- ]?(an[- ])?(hours?|minutes?|min|days?)\b|later than|earlier than|at least|at most|within/i;

/** A field of another type, or none. */
const ofForm = /\b(is|are) (required|missing)\b|must be an? (object|array|list|string|integer|number|boolean)\b/i;

/** Names under which error objects name a field. */
const holder =
  /^(fields|loc|missing|required|\w*(field|param|parameter|property|path|attribute|pointer)(_?(name|ref))?)$/i;
/** Objects whose keys are fields. */
const keyed = /^(errors|details|fields|violations|issues|invalid|messages|validation_errors|field_errors)$/i;

/** `is required`: the subject is the name under which it stands, wherever that is. */
const predicate = /^(?:this (?:field|value) )?(is|are|was|must|should|cannot|can't|can not|may not|has to|needs to)\b/i;
/** Names under which errors have their own texts. */
const ofError = /^(message|messages|msg|detail|details|title|reason|description|error|errors|text|hint|info|cause)$/i;

const subjectOf = (pointer: string): string[] => {
  const name = pointerNames(pointer).findLast((one) => /\D/.test(one)) ?? '';
  return name === '' || ofError.test(name) || name.includes('.') ? [] : [fieldOf(name)];
};

/** Words of sentences, and no fields. */
const plain =
  /^(field|fields|body|request|value|json|is|be|must|the|a|an|and|or|of|are|for|with|in|to|from|when|not|string|number|array|object|list|boolean|integer|values|valid|options?|allowed|such|does|unsupported|unknown|it|this|that|input|missing|required|invalid)$/i;
/** `slot.from is required`. */
const dottedSubject = /\b[a-z]\w*(?:\.\w+)+(?=["'`]? (?:is|are|must|should|cannot|field)\b)/gi;
/** Names of the body itself, where a field's name would stand. */
const ofBody = /^(field|fields|body|request|value|json|input|missing|required|invalid)$/i;
const identifier = /^[A-Za-z][A-Za-z0-9_-]*$/;

/** Most values of a refusal that are looked at. */
const mostValues = 2_000;

/** Reads the refusal of a body: in its JSON, and in its sentences. `sent`: the body, by whose values a field may be told. */
export function complaintOf(answer: Pick<Answer, 'json' | 'text'>, sent: unknown = {}): Complaint {
  const json = abridged(answer.json);
  const text = String(abridged(answer.text));
  const found = walk(json, mostValues);
  const texts = found.filter((one): one is typeof one & { value: string } => typeof one.value === 'string');
  const sentences = json === undefined ? [text] : texts.map(({ value }) => value);
  const held = texts.filter(
    (one) =>
      (holder.test(one.name) || holder.test(pointerNames(one.pointer).at(-2) ?? '') || isProblem(texts, one)) &&
      !isPlaceOfBody(found, one.pointer),
  );
  const structured = [
    ...held.map(({ value }) => fieldOf(value)),
    ...found
      .filter(({ name, value }) => keyed.test(name) && isObject(value))
      .flatMap(({ value }) => keysOf(value as object).map(fieldOf)),
    // Where the object names the field by itself, its other names are no fields.
    ...texts.flatMap(({ pointer, value }) =>
      predicate.test(value) && !held.some((one) => parentOf(one.pointer) === parentOf(pointer))
        ? subjectOf(pointer)
        : [],
    ),
  ];
  const plainly = [...structured, ...sentences.flatMap((text) => aboutIn(text, sent))];
  const own = new Set(isObject(sent) ? Object.keys(sent) : []);
  // Where the refusal has a place for the names of fields, no other word of its sentences is one.
  const guessed = sentences.flatMap(namedIn).filter((name) => structured.length === 0 || own.has(name));
  const named = [...plainly, ...guessed];
  const dotted = [
    ...found.flatMap(({ name }) => (/\w\.\w/.test(name) ? [fieldOf(name)] : [])),
    ...sentences.flatMap((text) => (text.match(dottedSubject) ?? []).map(fieldOf)),
  ];
  const placed = new Set([...held.map(({ value }) => fieldOf(value)), ...dotted]);
  // A wrapper may be called `fields`: who misses it quotes its name.
  const missed = new Set(sentences.filter((text) => lacking.test(text)).flatMap(quotedIn));
  const isField = (name: string): boolean =>
    identifier.test(name) && (own.has(name) || missed.has(name) || !(placed.has(name) ? ofBody : plain).test(name));
  // What was sent and is missing all the same is a field as it is spelled.
  const isMissed = (name: string): boolean =>
    isObject(sent) && sent[name] !== undefined && sent[name] !== null && sentences.some((text) => lacking.test(text));
  const spelled = (name: string): string => (isMissed(name) && spelledIn(sentences, name)) || name;
  const told = named.filter(isField);
  const fields = [...new Set((told.length > 0 ? told : namedInCode(found, own)).map(spelled))].slice(0, 12);
  const unknown = sentences.some((text) => unknownField.test(text));
  return {
    fields,
    sure: new Set([...plainly, ...fields.filter((name) => /[a-z][A-Z]|_/.test(name))]),
    unknown,
    isUnknown: (field) => {
      const own = texts.filter(({ pointer }) => standsAt(pointer, field, held));
      const isNamed = (text: string): boolean => unknownField.test(text) && quotedIn(text).includes(field);
      return (
        unknown && (own.length === 0 || own.some(({ value }) => unknownField.test(value)) || sentences.some(isNamed))
      );
    },
    known: unknown ? sentences.flatMap((text) => quotedIn(knownFields.exec(text)?.[1] ?? '')) : [],
    spelled: (field) => spelledIn(sentences, field) ?? field,
    ofTime: sentences.some(
      (text) => unsuited.test(text) && !ofForm.test(text) && !held.some(({ value }) => value === text),
    ),
    allowed: new Map([
      ...sentences.flatMap((text) => allowedIn(text, fields, sent)),
      ...fields.flatMap((field) =>
        texts.flatMap(({ value, pointer }): [string, string][] => {
          const first = standsAt(pointer, field, held) ? firstAllowed(value) : undefined;
          return first === undefined ? [] : [[field, first]];
        }),
      ),
    ]),
    about: (field) =>
      texts
        .flatMap(({ value, pointer }) =>
          standsAt(pointer, field, held) ? [value] : value.split(between).filter((part) => spelt(field).test(part)),
        )
        .join('\n'),
    inner: innerFields(json, text, sent),
  };
}

/** Where the complaint about one field ends, and that about another begins. */
const between = /;\s+|,\s+(?=["'`]?[\w.[\]/-]+["'`]?(?: \w+){0,2} (?:is|are|must|should|cannot|can't|has|may|does)\b)/;

/** Words about a field that is not there. */
const lacking = /required|missing|could not find|(?:not|n't) be (?:null|empty|blank)/i;

/** How a refusal spells a field that was taken for a name in the code: `FullName`, for `full_name`. */
const spelledIn = (sentences: readonly string[], field: string): string | undefined =>
  sentences.flatMap((text) => text.match(/\b[A-Z]\w*/g) ?? []).find((word) => inSnake(word) === field);

/** What is said of one field. */
export function complaintAbout(field: string, says: string): Complaint {
  const unknown = unknownField.test(says);
  const [allowed] = allowedValues(says);
  return {
    fields: [field],
    sure: new Set([field]),
    unknown,
    isUnknown: () => unknown,
    known: [],
    spelled: () => field,
    ofTime: false,
    allowed: new Map(allowed === undefined ? [] : [[field, allowed]]),
    about: () => says,
    inner: [],
  };
}

/** Lists of names, each of a field of its own. */
const ofNames = /^(fields|missing|required)$/i;

/** Of `["body", "slot", "from"]` the last is the field; what stands before it says where that is. */
const isPlaceOfBody = (found: readonly Text[], pointer: string): boolean => {
  if (ofNames.test(pointerNames(pointer).at(-2) ?? '')) {
    return false;
  }
  const next = pointer.replace(/\d+$/, (index) => String(Number(index) + 1));
  return next !== pointer && found.some((one) => one.pointer === next && typeof one.value === 'string');
};

/** `{"name": "email", "reason": "is required"}` in a list, as problem details (RFC 9457) have it, names a field; an error may have a name, too. */
const isProblem = (texts: readonly (Text & { readonly name: string })[], { name, pointer, value }: Found): boolean =>
  name === 'name' &&
  /\/\d+\/name$/.test(pointer) &&
  !/error|exception/i.test(String(value)) &&
  texts.some((one) => parentOf(one.pointer) === parentOf(pointer) && /^(reason|message|detail|hint)$/.test(one.name));

interface Text {
  readonly pointer: string;
  readonly value: unknown;
}

/** `{"json": {"name": ["…"]}}` names a field below where the body came from. */
const keysOf = (fields: object): string[] =>
  Object.entries(fields).flatMap(([name, value]) => (isObject(value) ? [name, ...Object.keys(value)] : [name]));

/** Whether a text stands under the field's name, or in the object that names the field. */
function standsAt(pointer: string, field: string, held: readonly (Text & { value: string })[]): boolean {
  const around = held
    .filter(({ value }) => fieldOf(value) === field)
    .map((one) => one.pointer.replace(/(\/\d+)?$/, '').replace(/\/[^/]*$/, ''));
  return (
    pointerNames(pointer).includes(field) || around.some((place) => place !== '' && pointer.startsWith(`${place}/`))
  );
}
