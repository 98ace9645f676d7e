import { isObject, pointerNames, walk } from '../../common/json.ts';
import type { Answer } from '../session/answer.ts';
import { type Inner, innerFields, inSnake } from './inner-fields.ts';

/** Statuses with which deployments refuse a body; the documents name the first alone. */
export const refusesBody = ({ status }: Pick<Answer, 'status'>): boolean => status === 400 || status === 422;

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
  /unknown(?! (variant|value|option|enum))|unexpected|unrecogni[sz]ed|not allowed|not permitted|additional propert|should not exist|is not a (valid )?(field|property|parameter|attribute)|no such field|extra (field|input)|extraneous|unsupported field|does not have/i;
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
  /^(field|fields|param|parameter|property|path|loc|attribute|pointer|missingProperty|instancePath|propertyName|missing|required)$/i;
/** Objects whose keys are fields. */
const keyed = /^(errors|details|fields|violations|issues|invalid|messages|validation_errors|field_errors)$/i;

/** Words of sentences, and no fields. */
const plain =
  /^(field|fields|body|request|value|json|is|be|must|the|a|an|and|or|of|for|with|in|to|from|when|not|string|number|array|object|list|boolean|integer|values|valid|options?|allowed|such|does|unsupported|unknown|it|this|that|input)$/i;
const identifier = /^[A-Za-z][A-Za-z0-9_-]*$/;
const afterwards = "(?:field\\s+)?(?:is|was|are|must|can|can't|cannot|should|field|required|has|needs|may|not)";
const before =
  '(?:missing|requires?|required|provide|specify|include|fields?|param(?:eter)?s?|propert(?:y|ies)|attributes?|expected|empty)';

/** Reads the refusal of a body: in its JSON, and in its sentences. `sent`: the body, by whose values a field may be told. */
export function complaintOf(answer: Pick<Answer, 'json' | 'text'>, sent: unknown = {}): Complaint {
  const found = walk(answer.json);
  const texts = found.filter((one): one is typeof one & { value: string } => typeof one.value === 'string');
  const sentences = answer.json === undefined ? [answer.text.slice(0, 2_000)] : texts.map(({ value }) => value);
  const held = texts.filter(
    ({ name, pointer, value }) =>
      (holder.test(name) || holder.test(pointerNames(pointer).at(-2) ?? '')) && !isPlaceOfBody(found, pointer, value),
  );
  const structured = [
    ...held.map(({ value }) => fieldOf(value)),
    ...found
      .filter(({ name, value }) => keyed.test(name) && isObject(value))
      .flatMap(({ value }) => keysOf(value as object)),
  ];
  const quoted = sentences.flatMap((text) => [...quotedIn(text), ...labelledIn(text), ...fieldsOfValues(text, sent)]);
  const named = [...structured, ...quoted, ...sentences.flatMap(namedIn)];
  const own = new Set(isObject(sent) ? Object.keys(sent) : []);
  const isField = (name: string): boolean => identifier.test(name) && (own.has(name) || !plain.test(name));
  const fields = [...new Set(named.filter(isField))].slice(0, 12);
  const unknown = sentences.some((text) => unknownField.test(text));
  return {
    fields,
    sure: new Set([
      ...structured,
      ...quoted,
      ...sentences.flatMap(headOf),
      ...fields.filter((name) => /[a-z][A-Z]|_/.test(name)),
    ]),
    unknown,
    isUnknown: (field) => {
      const own = texts.filter(({ pointer }) => standsAt(pointer, field, held));
      return unknown && (own.length === 0 || own.some(({ value }) => unknownField.test(value)));
    },
    known: unknown ? sentences.flatMap((text) => quotedIn(knownFields.exec(text)?.[1] ?? '')) : [],
    ofTime: sentences.some((text) => unsuited.test(text) && !ofForm.test(text)),
    allowed: new Map([
      ...sentences.flatMap((text) => allowedIn(text, fields, sent)),
      ...fields.flatMap((field) =>
        texts.flatMap(({ value, pointer }): [string, string][] => {
          const first = standsAt(pointer, field, held) ? firstAllowed.exec(value)?.[1] : undefined;
          return first === undefined ? [] : [[field, first]];
        }),
      ),
    ]),
    about: (field) =>
      texts
        .flatMap(({ value, pointer }) =>
          standsAt(pointer, field, held) ? [value] : value.split(/[,;]\s+/).filter((part) => spelt(field).test(part)),
        )
        .join('\n'),
    inner: innerFields(answer.json, answer.text.slice(0, 2_000), sent),
  };
}

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
    ofTime: false,
    allowed: new Map(allowed === undefined ? [] : [[field, allowed]]),
    about: () => says,
    inner: [],
  };
}

/** The first of `["body", "name"]` says only that the field is one of the body. */
const isPlaceOfBody = (found: readonly Text[], pointer: string, value: string): boolean =>
  value === 'body' && pointer.endsWith('/0') && found.some((one) => one.pointer === pointer.replace(/0$/, '1'));

interface Text {
  readonly pointer: string;
  readonly value: unknown;
}

/** `{"json": {"name": ["…"]}}` names a field below where the body came from. */
const keysOf = (fields: object): string[] =>
  Object.entries(fields).flatMap(([name, value]) => (isObject(value) ? [name, ...Object.keys(value)] : [name]));

/** A field's name, or its label. */
const spelt = (field: string): RegExp => new RegExp(`\\b${field.replace(/[_-]/g, '[ _-]')}\\b`, 'i');

/** Whether a text stands under the field's name, or in the object that names the field. */
function standsAt(pointer: string, field: string, held: readonly (Text & { value: string })[]): boolean {
  const around = held
    .filter(({ value }) => fieldOf(value) === field)
    .map((one) => one.pointer.replace(/(\/\d+)?$/, '').replace(/\/[^/]*$/, ''));
  return (
    pointerNames(pointer).includes(field) || around.some((place) => place !== '' && pointer.startsWith(`${place}/`))
  );
}

/** `name` of `/lead/name`, `lead.name` and `body.lead[name]`; `CampaignIDs`, a name in the code, is `campaign_ids`. */
function fieldOf(path: string): string {
  const last =
    path
      .split(/[./[\]]/)
      .filter((part) => /\D/.test(part))
      .at(-1) ?? '';
  return inSnake(last);
}

const quotedIn = (sentence: string): string[] =>
  [...sentence.matchAll(/(?<![\w])["'`]([A-Za-z][\w.[\]-]*)["'`](?! tag\b)/g)].map(([, name = '']) => fieldOf(name));

/** A sentence that quotes a value that one field alone had is about that field. */
function fieldsOfValues(sentence: string, sent: unknown): string[] {
  const values = walk(sent).filter(({ value }) => typeof value === 'string' && value.length > 2);
  const quoted = values.filter(
    ({ value }) =>
      sentence.includes(`"${value}"`) || sentence.includes(`\`${value}\``) || sentence.includes(`'${value}'`),
  );
  const [only, ...others] = new Set(quoted.map(({ name }) => name));
  return only === undefined || others.length > 0 ? [] : [only];
}

/** `slot: must be an object`, `slot is required`: what a sentence begins with, where it then says what is wrong with it. */
const headOf = (sentence: string): string[] => {
  const [, name] =
    /^([A-Za-z][\w.[\]-]*)(?:: (?:\w+ )?| )(?:is|must|required|missing|should|cannot|may|expected|invalid|not)\b/i.exec(
      sentence,
    ) ?? [];
  return name === undefined || /error|fail|invalid|exception/i.test(name) ? [] : [fieldOf(name)];
};

/** "First name can't be blank" is about first_name. */
const labelledIn = (sentence: string): string[] =>
  [
    ...sentence.matchAll(
      /(?:^|[.,;:]\s+)(?:The )?([A-Z][a-z]+(?: [a-z]+){0,2}) (?:field is|can't|cannot|must|is (?:required|invalid|missing|not))/g,
    ),
  ].map(([, label = '']) => label.toLowerCase().replaceAll(' ', '_'));

/** Fields that a sentence names: before a colon, before its verb, or after words like `missing`. */
function namedIn(sentence: string): string[] {
  const headed = [...sentence.matchAll(/(?:^|[;,]\s*|\n\s*)([A-Za-z][\w.[\]-]*):\s/g)].map(([, name = '']) =>
    fieldOf(name),
  );
  const subjects = [
    ...sentence.matchAll(new RegExp(`(?:^|[\\s,;:(])([A-Za-z][\\w.-]*),?\\s+${afterwards}\\b`, 'g')),
  ].map(([, name = '']) => fieldOf(name));
  const objects = [
    ...sentence.matchAll(
      new RegExp(`\\b${before}:?\\s+((?:[A-Za-z][\\w.-]*\\b(?!\\s+for\\b)(?:,\\s*|\\s+and\\s+|\\s+or\\s+)?)+)`, 'gi'),
    ),
  ].flatMap(([, names = '']) => names.split(/[,\s]/).map(fieldOf));
  const either = [...sentence.matchAll(/([A-Za-z]\w*)\s+or\s+([A-Za-z]\w*)/g)].flatMap(([, one = '', other = '']) => [
    one,
    other,
  ]);
  return [...headed, ...subjects, ...either, ...objects];
}

const firstAllowed =
  /(?:one of(?: the values accepted for Enum class| the (?:following|allowed)(?: values)?)?|allowed values?(?: are)?|valid values?(?: are)?|valid options?(?: are)?|either|(?:expected|should be)(?= ["'`]))\s*:?\s*[[({]?\s*["'`]?([\w.-]+)/i;

/** All values that a sentence says may stand somewhere; none where it lists none. */
export function allowedValues(sentence: string): string[] {
  const found = firstAllowed.exec(sentence);
  const from = found === null ? '' : sentence.slice(found.index + found[0].length - (found[1] ?? '').length);
  const listed = /^["'`]?[\w.-]+["'`]?(?:\s*(?:,|\||\bor\b|\band\b)+\s*["'`]?[\w.-]+["'`]?)*/.exec(from)?.[0] ?? '';
  return listed
    .split(/[^\w.-]+/)
    .map((value) => value.replace(/\.$/, ''))
    .filter((value) => value !== '' && !/^(or|and)$/.test(value));
}

/** `type must be one of: assistant, router` allows assistant; `either email or phone must be given` names two fields. */
function allowedIn(sentence: string, fields: readonly string[], sent: unknown): [string, string][] {
  const found = firstAllowed.exec(sentence);
  const named = (text: string): string | undefined => fields.find((name) => new RegExp(`\\b${name}\\b`).test(text));
  const field =
    fieldsOfValues(sentence, sent)[0] ??
    named(sentence.slice(0, found?.index ?? 0)) ??
    (/either/i.test(found?.[0] ?? '') ? undefined : named(sentence));
  const first = found?.[1];
  return first === undefined || field === undefined || first === field ? [] : [[field, first]];
}
