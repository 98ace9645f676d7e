import { isObject } from '../../../common/json.ts';
import { isSpelledAlike } from '../../../common/words.ts';
import {
  bracketedNamesIn,
  certainFieldsIn,
  codeNamesIn,
  fieldOf,
  foreignNamesIn,
  possibleFieldsIn,
  quotedAmong,
  quotedNamesIn,
} from './complaint-sentences.ts';
import { inSnake } from './inner-fields.ts';
import { type RefusalParts, structuredFields } from './refusal-parts.ts';

interface NamedFields {
  /** In the order in which the refusal names them. */
  readonly fields: readonly string[];
  /** Names that are fields for certain: more than a word of a sentence shows it. */
  readonly certain: ReadonlySet<string>;
}

/** Most fields that are taken from one refusal. */
const mostFields = 12;

/** What tells the names of fields from other names. */
interface Known {
  readonly sent: unknown;
  readonly sentNames: ReadonlySet<string>;
  /** Names as lists spell them. */
  readonly shown: readonly string[];
}

/**
 * The fields that a refusal names. `sent`: the body that was refused. `shown`: names as lists spell them, which a body
 * takes rather than those of a refusal: ASP.NET writes `AgentName` there for `agentName`.
 */
export function namedFields(refusal: RefusalParts, sent: unknown, shown: readonly string[]): NamedFields {
  const { values, sentences } = refusal;
  const sentNames = new Set(isObject(sent) ? Object.keys(sent) : []);
  const known: Known = { sent, sentNames, shown };
  const structured = [...structuredFields(refusal), ...sentences.flatMap(bracketedNamesIn)];
  const inSentences = fieldsInSentences(refusal, structured, known);
  const foreign = sentences.flatMap((text) => foreignNamesIn(text, new Set([...shown, ...sentNames])));
  const withBlanks = sentences.flatMap((text) => quotedAmong(text, shown));
  const places = fieldsInPlaces(refusal, structured, inSentences, known);
  const certain = [...places, ...inSentences, ...withBlanks, ...foreign];
  // Where the structure names fields, other words of sentences are none.
  const possible = sentences
    .flatMap(possibleFieldsIn)
    .filter((name) => (structured.length === 0 && foreign.length === 0) || sentNames.has(name));
  const isField = fieldTest(refusal, new Set([...sentNames, ...foreign, ...withBlanks]));
  const named = [...certain, ...possible].filter(isField);
  const names = named.length > 0 ? named : codeNamesIn(values, sentNames);
  const isCapitalised = [...sentNames].some((name) => /^[A-Z]/.test(name));
  const asShown = (name: string): string | undefined =>
    sentNames.has(name) || shown.includes(name) ? undefined : shown.find((one) => isSpelledAlike(one, name));
  const spelled = (name: string): string =>
    asShown(name) ||
    ((isCapitalised || isSentAndLacking(name, sent, sentences)) && spellingIn(sentences, name)) ||
    name;
  const fields = [...new Set(names.map(spelled))].slice(0, mostFields);
  const inCode = fields.filter((name) => /[a-z][A-Z]|_/.test(name));
  return { fields, certain: new Set([...certain, ...certain.map(spelled), ...inCode]) };
}

const isShown = (name: string, { shown }: Known): boolean => shown.some((one) => isSpelledAlike(one, name));

/**
 * The fields that sentences name for certain. Where errors have a place for the field, other names that their sentences
 * quote are of types and models, unless they are missed.
 */
function fieldsInSentences(
  { fieldNames, sentences }: RefusalParts,
  structured: readonly string[],
  known: Known,
): readonly string[] {
  const { sent, sentNames } = known;
  // Other places may look like names of fields, such as the path of the call.
  const isStructured = structured.some((name) => sentNames.has(name));
  const hasPlace = fieldNames.some(({ value }) => /^\w/.test(value) && !bodyWord.test(value));
  const isField = (name: string): boolean => sentNames.has(name) || structured.includes(name) || isShown(name, known);
  return sentences.flatMap((text) =>
    certainFieldsIn(text, sent, isStructured).filter((name) => !hasPlace || isField(name) || lacking.test(text)),
  );
}

/**
 * The fields that the structure names. A path that no record has, beside a sentence on fields that records have, is of
 * something else than the body. So is a JSONPath beside any sentence on fields, such as `$.args` in GraphQL.
 */
function fieldsInPlaces(
  { fieldNames }: RefusalParts,
  structured: readonly string[],
  inSentences: readonly string[],
  known: Known,
): readonly string[] {
  const isKnown = (name: string): boolean => known.sentNames.has(name) || isShown(name, known);
  const isOfOther = inSentences.some(isKnown);
  const jsonPaths = new Set(fieldNames.flatMap(({ value }) => (value.startsWith('$') ? fieldOf(value) : [])));
  const isPlausible = (name: string): boolean => !(isOfOther || (inSentences.length > 0 && jsonPaths.has(name)));
  return structured.filter((name) => isKnown(name) || inSentences.includes(name) || isPlausible(name));
}

/** Words of sentences that are no fields. */
const plainWord =
  /^(field|fields|body|request|value|json|is|be|must|the|a|an|and|or|of|are|for|with|in|to|from|when|not|string|number|array|object|list|boolean|integer|member|names|values|valid|options?|allowed|such|does|unsupported|unknown|it|this|that|input|missing|required|invalid)$/i;
/** Words for the body itself, where a field's name would stand. */
const bodyWord = /^(field|fields|body|request|value|json|input|missing|required|invalid)$/i;
const identifier = /^[A-Za-z][A-Za-z0-9_-]*$/;
/** Words that stand for a field, as in `This is required`. */
const pronoun = /^(it|this|that|the|a|an|and|or|not)$/i;
/** The subject of `when is required`. */
const lackingSubject = /(?<=^|[.,;:]\s+)["'`]?([a-z]\w*)["'`]? (?:is|are) (?:required|missing|mandatory)\b/g;
/** The subject of `slot.from is required`. */
const dottedSubject = /\b[a-z]\w*(?:\.\w+)+(?=["'`]? (?:is|are|must|should|cannot|field)\b)/gi;

/** Tells fields from plain words, which are fields only if they were sent, missed, or stand in a place for fields. */
function fieldTest({ values, sentences, fieldNames }: RefusalParts, sentNames: ReadonlySet<string>) {
  const inPlace = new Set([
    ...fieldNames.map(({ value }) => fieldOf(value)),
    ...values.flatMap(({ name }) => (/\w\.\w/.test(name) ? [fieldOf(name)] : [])),
    ...sentences.flatMap((text) => (text.match(dottedSubject) ?? []).map(fieldOf)),
    ...sentences
      .flatMap((text) => [...text.matchAll(lackingSubject)].map(([, name = '']) => name))
      .filter((name) => !pronoun.test(name)),
  ]);
  // A wrapper may be called `fields`: a sentence that misses it quotes its name.
  const quotedAsMissing = new Set(
    sentences.filter((text) => lacking.test(text)).flatMap((text) => quotedNamesIn(text)),
  );
  return (name: string): boolean =>
    sentNames.has(name) ||
    (identifier.test(name) && (quotedAsMissing.has(name) || !(inPlace.has(name) ? bodyWord : plainWord).test(name)));
}

/** Words about a field that is not there. */
const lacking = /required|missing|could not find|not[- ]null|null value|(?:not|n't) be (?:null|empty|blank)/i;

/** Whether a field was sent and is missed all the same: the deployment spells it in another way. */
const isSentAndLacking = (name: string, sent: unknown, sentences: readonly string[]): boolean =>
  isObject(sent) && sent[name] !== undefined && sent[name] !== null && sentences.some((text) => lacking.test(text));

/** How sentences spell a field in capitals, as a name in code: `FullName` for `full_name`. */
export const spellingIn = (sentences: readonly string[], field: string): string | undefined =>
  sentences.flatMap((text) => text.match(/\b[A-Z]\w*/g) ?? []).find((word) => inSnake(word) === field);
