import { isSpelledAlike, lettersOf } from '../../../common/words.ts';
import { fieldOf, innerPath, inSnake, isBodyName, valueAt } from './field-path.ts';
import { type Mention, type Names, namesIn, type Reading, readPhrase } from './mentions.ts';
import { isCode, isGeneric, lacking, phrasesOf, saysUnknown } from './phrases.ts';
import { type RefusedAnswer, type Remark, remarksOf } from './refusal.ts';

/** A field, or a member of a list, inside one of the fields of a body, of which a refusal says something. */
export interface InnerField {
  /** Names from the body's field on, as the body spells them; a number stands for a member of a list. */
  readonly path: readonly string[];
  /** All that the refusal says of it. */
  readonly says: string;
}

/** What a deployment says is wrong with a body. */
export interface Complaint {
  /** The fields that it names, in that order. */
  readonly fields: readonly string[];
  /** Other names that it may mean, for want of something better. */
  readonly others: readonly string[];
  /** Names that are fields for certain: more than a word of a sentence shows it. */
  readonly certain: ReadonlySet<string>;
  /** Whether it says that it does not know fields, and does not name them. */
  readonly hasUnknown: boolean;
  /** Whether it says that it does not know this field. */
  isUnknown(field: string): boolean;
  /** Whether it says that this field is not there. */
  isLacking(field: string): boolean;
  /** All fields that it knows; empty where it does not list them. */
  readonly known: readonly string[];
  /** How it spells a field. */
  spellingOf(field: string): string;
  /** Whether it says that a time does not suit. */
  readonly isAboutTime: boolean;
  /** By field, the first value that it says the field may have. */
  readonly firstAllowed: ReadonlyMap<string, string>;
  /** All that it says of a field. */
  textAbout(field: string): string;
  /** What it says of fields inside those of the body. */
  readonly inner: readonly InnerField[];
  /** What it names between the wrapper and a field: `attributes` of `/data/attributes/name`. */
  readonly withinWrapper: readonly string[];
}

/** Words about a time that does not suit. */
const unsuitedTime =
  /\bslots?\b|availab|(business|working|office|opening) (hours|days|time)|\b(past|future|weekdays?|weekends?|advance|ahead|taken|booked|busy|overlaps?|conflicts?|conflicting|calendar|notice)\b|too (soon|early|late|far|short|long)|(\d+|full|whole|half|quarter)[- ]?(an[- ])?(hours?|minutes?|min|days?)\b|later than|earlier than|at least|at most|within/i;
/** Words about a field that is missing or of another type: a time in it need not be unsuited. */
const wrongForm = /\b(is|are) (required|missing)\b|must be an? (object|array|list|string|integer|number|boolean)\b/i;

/** What is known of the fields that a refusal may mean. */
interface KnownFields {
  /** Their names as lists of such records spell them. */
  readonly shown?: readonly string[];
  /** The field that contains those of the body. */
  readonly wrapper?: string | undefined;
}

/** What a refusal says of one field, and the evidence for that. */
interface Said {
  readonly path: readonly string[];
  readonly field: string;
  readonly says: string;
  readonly values: readonly string[];
  /** 0: the structure names it; 1: words do; 2: words may. */
  readonly rank: number;
  readonly isLacking: boolean;
}

/** Most fields that are taken from one refusal. */
const mostFields = 12;

/** Reads the refusal of a body. `sent`: the body, whose names and values show which fields are meant. */
export function complaintOf(
  answer: RefusedAnswer,
  sent: unknown = {},
  { shown = [], wrapper }: KnownFields = {},
): Complaint {
  const names = namesIn(sent, shown);
  const read = remarksOf(answer, sent).map((remark) => ({ ...remark, readings: readingsOf(remark, names) }));
  const texts = read.map(({ text }) => text);
  const said = read.flatMap((remark) => saidIn(remark, names, sent));
  const { likely, others } = weighed(said, names);
  const spellings = [...texts, ...likely.map(({ path }) => path.at(-1) ?? '')];
  const spelled = spelling(likely, spellings, names);
  const fields = [...new Set(likely.map(({ field }) => spelled(field)))].slice(0, mostFields);
  const certain = likely.flatMap(({ rank, field }) => (rank < 2 ? [field, spelled(field)] : []));
  const isAbout = (field: string, one: Said): boolean =>
    isSpelledAlike(one.field, field) || isSpelledAlike(spelled(one.field), field);
  const about = (field: string): string[] => said.flatMap((one) => (isAbout(field, one) ? one.says : []));
  const unnamed = read.flatMap(({ path, readings }) => (path.length > 0 ? [] : readings));
  const allowed = likely.flatMap(({ field, values }): [string, string][] =>
    values.slice(0, 1).flatMap((value) => (value === field ? [] : [[spelled(field), value]])),
  );
  return {
    fields,
    others: others.map(({ field }) => field),
    certain: new Set([...certain, ...fields.filter((name) => /[a-z][A-Z]|_/.test(name))]),
    hasUnknown: unnamed.some(({ isUnknown, mentions }) => isUnknown && mentions.length === 0),
    isUnknown: (field) => about(field).some(saysUnknown),
    known: read.flatMap(({ readings }) => readings.filter(listsKnown).flatMap(({ values }) => values)),
    isLacking: (field) => about(field).some((text) => lacking.test(text)),
    spellingOf: (field) => spellingIn(spellings, field) ?? field,
    isAboutTime: texts.some((text) => unsuitedTime.test(text) && !wrongForm.test(text)),
    firstAllowed: new Map(allowed),
    textAbout: (field) => [...new Set(about(field))].join('\n'),
    inner: innerFields(likely, sent, wrapper),
    withinWrapper: likely.flatMap(({ path: [outer, name, field] }) =>
      outer === wrapper && name !== undefined && field !== undefined ? [name] : [],
    ),
  };
}

/** What the phrases of a remark say. One without a subject is about that of the phrase before it. */
function readingsOf({ text, path, isCode: isOnlyCode }: Remark, names: Names): readonly Reading[] {
  let subject: Mention | undefined;
  return (isOnlyCode ? [] : phrasesOf(text)).map((phrase) => {
    const reading = readPhrase(phrase, names, path.length > 0 || subject !== undefined);
    const isOwn = ({ isCertain, parts }: Mention): boolean => isCertain || names.sent.has(fieldOf(parts));
    const isAboutSame = subject !== undefined && !reading.mentions.some(isOwn);
    const said = isAboutSame && subject !== undefined ? { ...reading, mentions: [subject], subject } : reading;
    subject = said.subject?.isCertain ? said.subject : undefined;
    return said;
  });
}

/** Whether the values of a phrase are the fields that the deployment knows. */
const listsKnown = ({ phrase, isUnknown, isLacking, values }: Reading): boolean =>
  isUnknown && !isLacking && values.length > 0 && /\b(?:field|key|property|parameter|attribute|name)\b/i.test(phrase);

const isKnown = (name: string, { sent, shown, alike }: Names): boolean =>
  sent.has(name) || shown.has(name) || (alike.has(lettersOf(name)) && /[a-z]/i.test(name));

/** What one remark says of fields: of the one that the structure names, and of those that its words do. */
function saidIn(remark: Remark & { readonly readings: readonly Reading[] }, names: Names, sent: unknown): Said[] {
  const { text, path, isWeak, readings } = remark;
  const field = fieldOf(path);
  // A place for a field may name the body as a whole. If words name it, too, it is a field.
  const isNamable = field !== '' && (!isGeneric(field) || names.sent.has(field));
  const isMeant = isNamable && (!isWeak || isCode(path.at(-1) ?? '') || path.some((name) => isKnown(name, names)));
  const values = readings.flatMap((reading) => (listsKnown(reading) ? [] : reading.values));
  const isLacking = readings.some((reading) => reading.isLacking);
  const own = { path, field, says: text, values, rank: isWeak ? 2 : 0, isLacking };
  // Where the structure names a field, words name another one if it is known, or lacking.
  const isOther = (mention: Mention, reading: Reading): boolean =>
    mention.isCertain &&
    fieldOf(mention.parts) !== field &&
    (isKnown(fieldOf(mention.parts), names) || (reading.isLacking && !reading.values.includes(mention.words)));
  const inWords = readings.flatMap((reading) =>
    reading.mentions
      .filter((mention) => !isMeant || isOther(mention, reading))
      .map((mention) => saidInWords(mention, reading, path, sent)),
  );
  return isMeant ? [own, ...inWords] : inWords;
}

function saidInWords(mention: Mention, reading: Reading, path: readonly string[], sent: unknown): Said {
  const { phrase, isLacking, subject, values } = reading;
  const isInside = isLacking && !isBodyName(path[0]) && typeof valueAt(sent, path) === 'object';
  return {
    path: isInside ? [...path, ...mention.parts] : mention.parts,
    field: fieldOf(mention.parts),
    says: phrase.replace(mention.words, fieldOf(mention.parts)),
    values: subject === mention && !listsKnown(reading) ? values : [],
    rank: mention.isCertain ? 1 : 2,
    isLacking,
  };
}

/** Most parts of a path that is thought to be one of the body in spite of a sentence on other fields. */
const farthest = 3;

/** What is said of fields, best evidence first; `others`: what better evidence speaks against. */
function weighed(said: readonly Said[], names: Names): { likely: readonly Said[]; others: readonly Said[] } {
  const inWords = said.filter(({ rank }) => rank === 1);
  // A path that no record has, or a long one, beside a sentence on fields that records have, is of something else than the body.
  const isOfOther = inWords.some(({ field }) => isKnown(field, names));
  const hasCertain = said.some(({ rank }) => rank < 2);
  const isFar = ({ path }: Said): boolean => path.length > farthest && inWords.length > 0;
  const isLikely = (one: Said): boolean =>
    isKnown(one.field, names) ||
    (one.rank === 0 && (!(isOfOther || isFar(one)) || inWords.some(({ field }) => one.field === field))) ||
    one.rank === 1 ||
    !hasCertain;
  const ofFields = said.filter(({ field }) => field !== '').sort((one, other) => one.rank - other.rank);
  return { likely: ofFields.filter(isLikely), others: ofFields.filter((one) => !isLikely(one)) };
}

/** How a body spells a field: as lists do, or in capitals where its own names, or a refusal that misses it, have them. */
function spelling(
  said: readonly Said[],
  texts: readonly string[],
  { sent, shown, alike }: Names,
): (name: string) => string {
  const isCapitalised = [...sent].some((name) => /^[A-Z]/.test(name));
  const isMissed = (name: string): boolean => sent.has(name) && said.some((one) => one.field === name && one.isLacking);
  return (name) => {
    const isOwn = sent.has(name) || shown.has(name) || lettersOf(name) === '';
    const asShown = isOwn ? undefined : alike.get(lettersOf(name));
    const inTexts = isCapitalised || isMissed(name) ? spellingIn(texts, name) : undefined;
    return asShown ?? inTexts ?? name;
  };
}

/** How texts spell a field in capitals, as a name in code: `FullName` for `full_name`. */
const spellingIn = (texts: readonly string[], field: string): string | undefined =>
  texts.flatMap((text) => text.match(/\b[A-Z]\w*/g) ?? []).find((word) => inSnake(word) === field);

/** What is said of fields inside those of the body, together by their paths. */
function innerFields(said: readonly Said[], sent: unknown, wrapper: string | undefined): InnerField[] {
  const found = said.flatMap((one) => {
    const path = innerPath(one.path, sent, one.isLacking);
    return path === null || path[0] === wrapper ? [] : { path, says: one.says };
  });
  const alike = [...Map.groupBy(found, ({ path }) => path.join('/')).values()];
  return alike.flatMap((all) => ({ path: all[0]?.path ?? [], says: all.flatMap(({ says }) => says || []).join('\n') }));
}

/** All values that a text about one field allows; empty where it lists none. */
export const allowedValues = (says: string): string[] =>
  phrasesOf(says).flatMap((phrase) => readPhrase(phrase, namesIn({}, []), true).values);

/** A complaint about one field, of which a refusal says no more than `says`. */
export const complaintAbout = (field: string, says: string): Complaint => ({
  ...complaintOf({ json: {}, text: '' }),
  fields: [field],
  certain: new Set([field]),
  isUnknown: () => saysUnknown(says),
  firstAllowed: new Map(
    allowedValues(says)
      .map((value): [string, string] => [field, value])
      .slice(0, 1),
  ),
  textAbout: () => says,
});
