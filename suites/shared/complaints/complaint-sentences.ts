import { type Found, isObject, walk } from '../../../common/json.ts';
import { inSnake } from './inner-fields.ts';

// The sentences of a refusal: which fields they are about, and which values they allow there.

/** What may follow the name of a field. */
const afterName = "(?:field\\s+)?(?:is|was|are|must|can|can't|cannot|should|field|required|has|needs|may|not)";
/** What may come before the name of a field. */
const beforeName =
  '(?:missing|requires?|required|provide|specify|include|fields?|param(?:eter)?s?|propert(?:y|ies)|attributes?|keys?|expected|unexpected|empty|invalid(?=:))';

/**
 * The field at the end of a path: `name` of `/lead/name`, `lead.name`, `body.lead[name]`. `FullName` is `full_name`.
 */
export function fieldOf(path: string): string {
  const last =
    path
      .split(/[./[\]]/)
      .filter((part) => /\D/.test(part))
      .at(-1) ?? '';
  return inSnake(last);
}

/**
 * The fields that a sentence quotes. A value that came is none, nor is what holds the fields: `column "name" of relation
 * "agents"`, `object='agent'`.
 */
export const quotedNamesIn = (sentence: string, isValue = (_text: string): boolean => false): string[] =>
  [
    ...sentence.matchAll(
      /(?<!\w|(?:instead was|got|received):? ["'`]?|\b(?:type|class|object|model|entity|table|relation|schema|enum|constraint|(?:column|property|field) of)(?: |=))["'`“”„«»‘’]([A-Za-z][\w.[\]-]*)["'`“”«»‘’](?! tag\b)/g,
    ),
  ].flatMap(([, name = '']) => (isValue(name) ? [] : [fieldOf(name)]));

/** The fields that a sentence lists in brackets as missing or unknown: `required fields were not set: [url, events]`. */
export const bracketedNamesIn = (sentence: string): string[] =>
  /\b(?:required|missing|not set|unknown|unexpected|unrecogni[sz]ed)\b/i.test(sentence)
    ? [...sentence.matchAll(/(?<=[\s:]\s?)\[([A-Za-z][\w.-]*(?:,\s*[A-Za-z][\w.-]*)*)\]/g)].flatMap(([, names = '']) =>
        names.split(/,\s*/).map(fieldOf),
      )
    : [];

const withoutAddresses = (text: string): string => text.replace(/\S*\/\S*/g, ' ');

/** Words that are names in code, `display_name` or `leadId`, or names of fields that were sent; none of addresses. */
const namesOfCode = (text: string, sent: ReadonlySet<string>): string[] =>
  (withoutAddresses(text).match(/[A-Za-z]\w*/g) ?? []).filter(
    (word) => /^[a-z]+[a-z0-9]*(_|[A-Z])\w/.test(word) || sent.has(word),
  );

const isSentence = (value: unknown): boolean => typeof value === 'string' && /\s|[^\x20-\x7e]/.test(value);
/** Names under which an error says what kind of error it is. */
const kindName = /code|type|kind|error|status|rule|reason|constraint|trace|request/i;

/** The names in code of a refusal in any language: those in its texts, and those under which its sentences stand. */
export const codeNamesIn = (values: readonly Found[], sent: ReadonlySet<string>): string[] =>
  values.flatMap(({ name, value }) => [
    ...([value].flat().every(isSentence) ? namesOfCode(name, sent) : []),
    ...(typeof value === 'string' && !kindName.test(name) ? namesOfCode(value, sent) : []),
  ]);

/** The field whose value a sentence quotes; none where several fields have quoted values. */
function fieldsOfValues(sentence: string, sent: unknown): string[] {
  const quoted = walk(sent).filter(
    ({ value }) =>
      typeof value === 'string' &&
      value.length > 2 &&
      ['"', '`', "'"].some((mark) => sentence.includes(mark + value + mark)),
  );
  const [only, ...others] = new Set(quoted.map(({ name }) => name));
  return only === undefined || others.length > 0 ? [] : [only];
}

/** Fields by their labels: first_name of "First name can't be blank", lead_id of "Lead must exist", as in Rails. */
const labelledIn = (sentence: string): string[] =>
  [
    ...sentence.matchAll(
      /(?:^|[.,;:]\s+)(?:The )?([A-Z][a-z]+(?: [a-z]+){0,2}) (field is|can't|cannot|must exist|must|is (?:required|invalid|missing|not))/g,
    ),
  ].map(([, label = '', verb]) =>
    (verb === 'must exist' ? `${label} id` : label)
      .toLowerCase()
      .replace(/^the | field$/g, '')
      .replaceAll(' ', '_'),
  );

/** Fields of set phrases: `missing required field: areas`, `areas must be a list`, `slot: must be an object`. */
const declaredIn = (sentence: string): string[] =>
  [
    ...sentence.matchAll(
      /^(?!\w*(?:error|fail|invalid|exception))([A-Za-z][\w.[\]-]*): (?:\w+ )?(?:is|must|required|missing|should|cannot|may|expected|invalid|not)\b/gim,
    ),
    ...sentence.matchAll(
      /\b(?:invalid|missing|bad) (?:value|argument|input) (?:for|at|in):? ["'`]?([A-Za-z][\w.[\]-]*)/gi,
    ),
    ...sentence.matchAll(/^(?:missing|required|unexpected|unknown|invalid): ([A-Za-z][\w.[\]-]*)$/gi),
    ...sentence.matchAll(
      /\b(?:field|param(?:eter)?|property|attribute|argument)s?:?\s+(?!(?:names|values|were|was|are|have|has|not|that|which)\b)([A-Za-z][\w.[\]-]*)/gi,
    ),
    ...sentence.matchAll(
      // As Ajv says it: `body/title must be string`, or `/title must be string`.
      /(?:^|[.;,:]\s+)(?:(?:\w+)?\/(?=[\w-]+ ))?([a-z][\w.[\]-]*) (?:(?:is|are) (?:an? )?(?:required|mandatory|missing|invalid)|(?:must|should|cannot|may) (?:not )?be)\b/g,
    ),
  ].map(([, name = '']) => fieldOf(name));

/** A field of `invalid consent: must be accepted` that was sent, or of `invalid CreateLead.Consent: …` in Go. */
const refusedIn = (sentence: string, sent: unknown): string[] =>
  [...sentence.matchAll(/^invalid ([\w.-]+): /gi)].flatMap(([, path = '']) => {
    const name = fieldOf(path);
    return path.includes('.') || (isObject(sent) && name in sent) ? [name] : [];
  });

/** Words of which an English sentence has some. */
const english = /\b(?:the|is|are|be|must|should|cannot|required|invalid|missing|unknown|not|of|at)\b/i;

/** A letter of another script than the Latin one. */
const otherScript = /(?!\p{Script=Latin})\p{L}/u;

/**
 * The fields that a sentence in another language names: its words that are `names`, or in Latin letters among those of
 * another script. In English ones, a word may be no more than that.
 */
export const foreignNamesIn = (sentence: string, names: ReadonlySet<string>): string[] =>
  !isSentence(sentence) || english.test(sentence)
    ? []
    : otherScript.test(sentence)
      ? (withoutAddresses(sentence).match(/(?<![\w-])[a-z]\w*(?![\w-])/g) ?? [])
      : (withoutAddresses(sentence).match(/[\p{L}_][\p{L}\p{N}_-]*/gu) ?? []).filter((word) => names.has(word));

/** The names with blanks in them that a sentence quotes: a pattern would take any quoted words for some. */
export const quotedAmong = (sentence: string, names: readonly string[]): string[] =>
  names.filter((name) => /\s/.test(name) && ['"', "'", '`', '“', '«'].some((mark) => sentence.includes(mark + name)));

/**
 * The fields that a sentence is about for certain. `isElsewhere`: something else than sentences names the fields, so
 * that a subject such as `Length` of `Length must be between 1 and 64` is none unless it was sent.
 */
export function certainFieldsIn(sentence: string, sent: unknown, isElsewhere: boolean): string[] {
  const subjects = [...labelledIn(sentence), ...declaredIn(sentence)];
  const isNameSent = (name: string): boolean => isObject(sent) && name in sent;
  const values = new Set(walk(sent).map(({ value }) => value));
  return [
    ...quotedNamesIn(sentence, (text) => values.has(text) && !isNameSent(text)),
    ...subjects.filter((name) => !isElsewhere || isNameSent(name)),
    ...fieldsOfValues(sentence, sent),
    ...refusedIn(sentence, sent),
  ];
}

const heading = /(?:^|[;,]\s*|\n\s*|errors?:\s+)(?:[-•*]\s+)?([A-Za-z][\w.[\]-]*):\s/g;
const subject = new RegExp(`(?:^|[\\s,;:(])([A-Za-z][\\w.-]*),?\\s+${afterName}\\b`, 'g');
const alternatives = /([A-Za-z]\w*)\s+or\s+([A-Za-z]\w*)/g;
const objects = new RegExp(
  `\\b${beforeName}(?::?\\s+${beforeName})*:?\\s+[[(]?((?:[A-Za-z][\\w.-]*\\b(?!\\s+for\\b)(?:,\\s*|\\s+and\\s+|\\s+or\\s+)?)+)`,
  'gi',
);

const isCode = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/;

/** The fields that a sentence may name: before a colon or its verb, around an `or`, or after words like `missing`. */
export function possibleFieldsIn(text: string): string[] {
  // Ruby writes names as symbols: `:name, :email`.
  const sentence = text.replace(/(?<=[\s,]):(?=[a-z_])/g, '');
  // "Owner email can't be blank" is about `owner_email`, not about `email`.
  const labels = labelledIn(sentence);
  const isEndOfLabel = (name: string): boolean => labels.some((label) => label.endsWith(`_${name}`));
  // `VALIDATION_FAILED: …` begins with a code.
  const headings = [...sentence.matchAll(heading)].flatMap(([, name = '']) => (isCode.test(name) ? [] : fieldOf(name)));
  const subjects = [...sentence.matchAll(subject)].map(([, name = '']) => fieldOf(name));
  return [
    ...headings,
    ...subjects.filter((name) => !isEndOfLabel(name)),
    ...[...sentence.matchAll(alternatives)].flatMap(([, one = '', other = '']) => [one, other]),
    ...[...sentence.matchAll(objects)].flatMap(([, names = '']) => names.split(/[,\s]/).map(fieldOf)),
  ];
}

/** Matches a field's name or its label. */
export const patternOf = (field: string): RegExp => new RegExp(`\\b${field.replace(/[_-]/g, '[ _-]')}\\b`, 'i');

/** A phrase that lists allowed values; the group is the first of them. */
const allowing =
  /\b(?:(?:list|array|set|subset) of:|in the list(?= ?[[(:])|enum value set|allowed(?=:)|one of(?: the values accepted for Enum class| the (?:following|allowed)(?: values)?)?|allowed values?(?: are)?|valid values?(?: are)?|valid (?:option|choice)s?(?: are)?|either|(?:expected|(?:should|must) be)(?= [[({]?["'`])|only contain)(?!\w)[^\S\n]*:?[^\S\n]*[[({]?[^\S\n]*["'`]?(?!(?:the|(?:value|option|choice)s?)\b)(\w[\w.-]*)/i;

/** The first value that a sentence allows; undefined: it lists none. */
export const firstAllowedValue = (sentence: string): string | undefined => allowing.exec(sentence)?.[1];

/** All values that a sentence allows; empty where it lists none. */
export function allowedValues(sentence: string): string[] {
  const found = allowing.exec(sentence);
  const from = found === null ? '' : sentence.slice(found.index + found[0].length - (found[1] ?? '').length);
  const listed = /^["'`]?[\w.-]+["'`]?(?:\s*(?:,|\||\bor\b|\band\b)+\s*["'`]?[\w.-]+["'`]?)*/.exec(from)?.[0] ?? '';
  return listed
    .split(/[^\w.-]+/)
    .map((value) => value.replace(/\.$/, ''))
    .filter((value) => value !== '' && !/^(or|and)$/.test(value));
}

/**
 * The field for which a sentence allows values, and the first of them: `type` and `assistant` of `type must be one of:
 * assistant, router`. `either email or phone must be given` names two fields and no value.
 */
export function allowedFieldIn(sentence: string, fields: readonly string[], sent: unknown): [string, string][] {
  const found = allowing.exec(sentence);
  const first = found?.[1];
  if (found === null || first === undefined) {
    return [];
  }
  const field =
    fieldsOfValues(sentence, sent)[0] ??
    lastNamed(sentence.slice(0, found.index), fields) ??
    (/either/i.test(found[0]) ? undefined : lastNamed(sentence, fields));
  return field === undefined || first === field ? [] : [[field, first]];
}

/** The field that a text names last. */
function lastNamed(text: string, fields: readonly string[]): string | undefined {
  const place = (name: string): number => text.search(patternOf(name));
  return fields
    .filter((name) => place(name) !== -1)
    .sort((one, other) => place(other) - place(one) || other.length - one.length)[0];
}
