import { type Found, isObject, walk } from '../../../common/json.ts';
import { inSnake } from './inner-fields.ts';

// What the sentences of a refusal tell: which fields they are about, and which values may stand there.

const afterwards = "(?:field\\s+)?(?:is|was|are|must|can|can't|cannot|should|field|required|has|needs|may|not)";
const before =
  '(?:missing|requires?|required|provide|specify|include|fields?|param(?:eter)?s?|propert(?:y|ies)|attributes?|keys?|expected|unexpected|empty|invalid(?=:))';

/** `name` of `/lead/name`, `lead.name` and `body.lead[name]`; `CampaignIDs`, a name in the code, is `campaign_ids`. */
export function fieldOf(path: string): string {
  const last =
    path
      .split(/[./[\]]/)
      .filter((part) => /\D/.test(part))
      .at(-1) ?? '';
  return inSnake(last);
}

export const quotedIn = (sentence: string): string[] =>
  [
    ...sentence.matchAll(
      /(?<!\w|(?:instead was|got|received):? ["'`]?)["'`“”„«»‘’]([A-Za-z][\w.[\]-]*)["'`“”«»‘’](?! tag\b)/g,
    ),
  ].map(([, name = '']) => fieldOf(name));

/** Words that are names in code, `display_name` or `leadId`, and those of fields that were sent; none of an address. */
const namesOfCode = (text: string, sent: ReadonlySet<string>): string[] =>
  (text.replace(/\S*\/\S*/g, ' ').match(/[A-Za-z]\w*/g) ?? []).filter(
    (word) => /^[a-z]+[a-z0-9]*(_|[A-Z])\w/.test(word) || sent.has(word),
  );

const isSentence = (value: unknown): boolean => typeof value === 'string' && /\s|[^\x20-\x7e]/.test(value);
/** Names under which errors say of what kind they are. */
const ofKind = /code|type|kind|error|status|rule|reason|constraint|trace|request/i;

/** What a refusal in another language names: the names in its texts, and those under which its sentences stand. */
export const namedInCode = (found: readonly Found[], sent: ReadonlySet<string>): string[] =>
  found.flatMap(({ name, value }) => [
    ...([value].flat().every(isSentence) ? namesOfCode(name, sent) : []),
    ...(typeof value === 'string' && !ofKind.test(name) ? namesOfCode(value, sent) : []),
  ]);

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

/** "First name can't be blank" is about first_name; "Lead must exist", as Rails says it, about lead_id. */
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

/** `missing required field: areas`, `areas must be a list`, `slot: must be an object`. */
const declaredIn = (sentence: string): string[] =>
  [
    ...sentence.matchAll(
      /^(?!\w*(?:error|fail|invalid|exception))([A-Za-z][\w.[\]-]*): (?:\w+ )?(?:is|must|required|missing|should|cannot|may|expected|invalid|not)\b/gi,
    ),
    ...sentence.matchAll(
      /\b(?:invalid|missing|bad) (?:value|argument|input) (?:for|at|in):? ["'`]?([A-Za-z][\w.[\]-]*)/gi,
    ),
    ...sentence.matchAll(/^(?:missing|required|unexpected|unknown|invalid): ([A-Za-z][\w.[\]-]*)$/gi),
    ...sentence.matchAll(/\b(?:field|param(?:eter)?|property|attribute|argument)s?:?\s+([A-Za-z][\w.[\]-]*)/gi),
    ...sentence.matchAll(
      // Ajv writes the body before it: `body/title must be string`, and of its own fields without: `/title`.
      /(?:^|[.;,:]\s+)(?:(?:\w+)?\/(?=[\w-]+ ))?([a-z][\w.[\]-]*) (?:(?:is|are) (?:required|missing|invalid)|(?:must|should|cannot|may) (?:not )?be)\b/g,
    ),
  ].map(([, name = '']) => fieldOf(name));

/** `invalid consent: must be accepted`, of a field that was sent. */
const refusedIn = (sentence: string, sent: unknown): string[] =>
  [...sentence.matchAll(/^invalid ([\w.-]+): /gi)].flatMap(([, path = '']) => {
    const name = fieldOf(path);
    return isObject(sent) && name in sent ? [name] : [];
  });

/** Fields that a sentence is plainly about, and those whose values it quotes. */
export const aboutIn = (sentence: string, sent: unknown): string[] => [
  ...quotedIn(sentence),
  ...labelledIn(sentence),
  ...fieldsOfValues(sentence, sent),
  ...declaredIn(sentence),
  ...refusedIn(sentence, sent),
];

/** Fields that a sentence may name: before a colon, before its verb, or after words like `missing`. */
export function namedIn(text: string): string[] {
  // Ruby writes names as symbols: `:name, :email`.
  const sentence = text.replace(/(?<=[\s,]):(?=[a-z_])/g, '');
  // "Owner email can't be blank" is about the owner's email, and not about `email`.
  const labels = labelledIn(sentence);
  const isWordOfLabel = (name: string): boolean => labels.some((label) => label.endsWith(`_${name}`));
  const headed = [...sentence.matchAll(/(?:^|[;,]\s*|\n\s*)([A-Za-z][\w.[\]-]*):\s/g)].map(([, name = '']) =>
    fieldOf(name),
  );
  const subjects = [
    ...sentence.matchAll(new RegExp(`(?:^|[\\s,;:(])([A-Za-z][\\w.-]*),?\\s+${afterwards}\\b`, 'g')),
  ].map(([, name = '']) => fieldOf(name));
  const objects = [
    ...sentence.matchAll(
      new RegExp(
        `\\b${before}(?::?\\s+${before})*:?\\s+[[(]?((?:[A-Za-z][\\w.-]*\\b(?!\\s+for\\b)(?:,\\s*|\\s+and\\s+|\\s+or\\s+)?)+)`,
        'gi',
      ),
    ),
  ].flatMap(([, names = '']) => names.split(/[,\s]/).map(fieldOf));
  const either = [...sentence.matchAll(/([A-Za-z]\w*)\s+or\s+([A-Za-z]\w*)/g)].flatMap(([, one = '', other = '']) => [
    one,
    other,
  ]);
  return [...headed, ...subjects.filter((name) => !isWordOfLabel(name)), ...either, ...objects];
}

/** A field's name, or its label. */
export const spelt = (field: string): RegExp => new RegExp(`\\b${field.replace(/[_-]/g, '[ _-]')}\\b`, 'i');

const allowing =
  /\b(?:(?:list|array|set|subset) of:|one of(?: the values accepted for Enum class| the (?:following|allowed)(?: values)?)?|allowed values?(?: are)?|valid values?(?: are)?|valid options?(?: are)?|either|(?:expected|(?:should|must) be)(?= ["'`])|only contain)\s*:?\s*[[({]?\s*["'`]?([\w.-]+)/i;

/** The first value that a sentence says may stand somewhere. */
export const firstAllowed = (sentence: string): string | undefined => allowing.exec(sentence)?.[1];

/** All values that a sentence says may stand somewhere; none where it lists none. */
export function allowedValues(sentence: string): string[] {
  const found = allowing.exec(sentence);
  const from = found === null ? '' : sentence.slice(found.index + found[0].length - (found[1] ?? '').length);
  const listed = /^["'`]?[\w.-]+["'`]?(?:\s*(?:,|\||\bor\b|\band\b)+\s*["'`]?[\w.-]+["'`]?)*/.exec(from)?.[0] ?? '';
  return listed
    .split(/[^\w.-]+/)
    .map((value) => value.replace(/\.$/, ''))
    .filter((value) => value !== '' && !/^(or|and)$/.test(value));
}

/** `type must be one of: assistant, router` allows assistant; `either email or phone must be given` names two fields. */
export function allowedIn(sentence: string, fields: readonly string[], sent: unknown): [string, string][] {
  const found = allowing.exec(sentence);
  const place = (text: string, name: string): number => text.search(spelt(name));
  /** The last one that the text names. */
  const named = (text: string): string | undefined =>
    fields
      .filter((name) => place(text, name) !== -1)
      .sort((one, other) => place(text, other) - place(text, one) || other.length - one.length)[0];
  const field =
    fieldsOfValues(sentence, sent)[0] ??
    named(sentence.slice(0, found?.index ?? 0)) ??
    (/either/i.test(found?.[0] ?? '') ? undefined : named(sentence));
  const first = found?.[1];
  return first === undefined || field === undefined || first === field ? [] : [[field, first]];
}
