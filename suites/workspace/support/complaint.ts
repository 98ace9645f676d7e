import { isObject, walk } from '../../../common/json.ts';
import type { Answer } from '../../session/answer.ts';

/** What a deployment says is wrong with a body. */
export interface Complaint {
  /** Fields that it names, in the order in which it names them. */
  readonly fields: readonly string[];
  /** It says that it does not know them. */
  readonly unknown: boolean;
  /** It says that a time does not suit. */
  readonly ofTime: boolean;
  /** The first value that it says a field may have. */
  readonly allowed: ReadonlyMap<string, string>;
}

const unknownField =
  /unknown|unexpected|unrecogni[sz]ed|not allowed|not permitted|additional propert|should not exist|is not a (valid )?(field|property|parameter|attribute)|no such field|extra (field|input)|extraneous|unsupported field|does not have/i;

/** Words about a time that does not suit, and not about one that is missing or ill-formed. */
const unsuited =
  /\bslots?\b|availab|(business|working|office|opening) (hours|days|time)|\b(past|future|weekdays?|weekends?|advance|ahead|taken|booked|busy|overlaps?|conflicts?|conflicting|calendar|notice)\b|too (soon|early|late|far|short|long)|(\d+|full|whole|half|quarter)[- ]?(an[- ])?(hours?|minutes?|min|days?)\b|later than|earlier than|at least|at most|within/i;

/** Names under which error objects name a field. */
const holder =
  /^(field|fields|param|parameter|property|path|loc|attribute|pointer|missingProperty|instancePath|propertyName|missing|required)$/i;
/** Objects whose keys are fields. */
const keyed = /^(errors|details|fields|violations|issues|invalid|messages|validation_errors|field_errors)$/i;

/** Words of sentences, and no fields. */
const plain =
  /^(field|fields|body|request|value|json|is|be|must|the|a|an|and|or|of|for|with|in|to|from|when|not|string|number|array|object|list|boolean|integer|values|valid|options?|allowed|such|does|unsupported|unknown)$/i;
const identifier = /^[A-Za-z][A-Za-z0-9_-]*$/;
const afterwards = "(?:field\\s+)?(?:is|was|are|must|can|can't|cannot|should|field|required|has|needs|may|not)";
const before =
  '(?:missing|requires?|required|provide|specify|include|fields?|param(?:eter)?s?|propert(?:y|ies)|attributes?|expected|empty)';

/** Reads the refusal of a body: in its JSON, and in its sentences. */
export function complaintOf(answer: Pick<Answer, 'json' | 'text'>): Complaint {
  const found = walk(answer.json);
  const texts = found.map(({ value }) => value).filter((value): value is string => typeof value === 'string');
  const sentences = answer.json === undefined ? [answer.text.slice(0, 2_000)] : texts;
  const named = [
    ...found
      .filter(
        ({ name, value, pointer }) =>
          typeof value === 'string' && (holder.test(name) || holder.test(pointer.split('/').at(-2) ?? '')),
      )
      .map(({ value }) => lastOf(String(value))),
    ...found
      .filter(({ name, value }) => keyed.test(name) && isObject(value))
      .flatMap(({ value }) => Object.keys(value as object)),
    ...sentences.flatMap(namedIn),
  ];
  const fields = [...new Set(named.filter((name) => identifier.test(name) && !plain.test(name)))].slice(0, 12);
  return {
    fields,
    unknown: sentences.some((text) => unknownField.test(text)),
    ofTime: sentences.some((text) => unsuited.test(text)),
    allowed: new Map(sentences.flatMap((text) => allowedIn(text, fields))),
  };
}

/** `name` of `/lead/name`, `lead.name` and `body.lead[name]`. */
const lastOf = (path: string): string =>
  path
    .split(/[./[\]]/)
    .filter((part) => part !== '')
    .at(-1) ?? '';

/** Fields that a sentence names: in quotes, before its verb, or after words like `missing`. */
function namedIn(sentence: string): string[] {
  const quoted = [...sentence.matchAll(/["'`]([A-Za-z][\w.[\]-]*)["'`]/g)].map(([, name = '']) => lastOf(name));
  const subjects = [
    ...sentence.matchAll(new RegExp(`(?:^|[\\s,;:(])([A-Za-z][\\w.-]*),?\\s+${afterwards}\\b`, 'g')),
  ].map(([, name = '']) => lastOf(name));
  const objects = [
    ...sentence.matchAll(
      new RegExp(`\\b${before}:?\\s+((?:[A-Za-z][\\w.-]*(?:,\\s*|\\s+and\\s+|\\s+or\\s+)?)+)`, 'gi'),
    ),
  ].flatMap(([, names = '']) => names.split(/[,\s]/).map(lastOf));
  const either = [...sentence.matchAll(/([A-Za-z]\w*)\s+or\s+([A-Za-z]\w*)/g)].flatMap(([, one = '', other = '']) => [
    one,
    other,
  ]);
  return [...quoted, ...subjects, ...either, ...objects];
}

/** `type must be one of: assistant, router` allows assistant; `either email or phone must be given` names two fields. */
function allowedIn(sentence: string, fields: readonly string[]): [string, string][] {
  const found =
    /(?:one of|allowed values?(?: are)?|valid values?(?: are)?|valid options?(?: are)?|either)\s*:?\s*[[({]?\s*["'`]?([\w.-]+)/i.exec(
      sentence,
    );
  const named = (text: string): string | undefined => fields.find((name) => new RegExp(`\\b${name}\\b`).test(text));
  const field =
    named(sentence.slice(0, found?.index ?? 0)) ?? (/either/i.test(found?.[0] ?? '') ? undefined : named(sentence));
  const list = found?.[1];
  return list === undefined || field === undefined || list === field ? [] : [[field, list]];
}
