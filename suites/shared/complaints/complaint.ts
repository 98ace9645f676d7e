import { allowedFieldIn, allowedValues, firstAllowedValue, patternOf, quotedNamesIn } from './complaint-sentences.ts';
import { type InnerField, innerFields } from './inner-fields.ts';
import { namedFields, spellingIn } from './named-fields.ts';
import { isOfField, partsOf, type RefusalParts, type RefusedAnswer } from './refusal-parts.ts';

/** What a deployment says is wrong with a body. */
export interface Complaint {
  /** The fields that it names, in that order. */
  readonly fields: readonly string[];
  /** Names that are fields for certain: more than a word of a sentence shows it. */
  readonly certain: ReadonlySet<string>;
  /** Whether it says of any field that it does not know it. */
  readonly hasUnknown: boolean;
  /** Whether it says that it does not know this field. Where it names none, that is said of all. */
  isUnknown(field: string): boolean;
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
}

const unknownField =
  /unknown(?! (variant|value|option|enum))|unexpected|unrecogni[sz]ed|(?<!undefined is )not allowed|not permitted|unpermitted|unspecified|additional propert|should not exist|be not present|\binvalid (key|property|attribute)s?\b|could not find the|is not (a|an) ((valid|known|recogni[sz]ed|supported) )?(field|property|parameter|attribute)|(is|are) not (known|recogni[sz]ed)\b|no such (field|column|property|attribute)|\b(field|property|attribute|column|parameter)\b.{0,60}? (does not exist|not found)|extra (field|input)|extraneous|unsupported field|does not have/i;
/** The list of all fields in `unknown field "x", expected one of "name", "email"`. */
const knownFields =
  /(?:field|key|property|parameter)\b.{0,80}?(?:expected|allowed|known|valid)(?: fields)?(?: are| is)?:?(?: one of)?:? (.*)$/i;

/** Words about a time that does not suit. */
const unsuitedTime =
  /\bslots?\b|availab|(business|working|office|opening) (hours|days|time)|\b(past|future|weekdays?|weekends?|advance|ahead|taken|booked|busy|overlaps?|conflicts?|conflicting|calendar|notice)\b|too (soon|early|late|far|short|long)|(\d+|full|whole|half|quarter)[- ]?(an[- ])?(hours?|minutes?|min|days?)\b|later than|earlier than|at least|at most|within/i;
/** Words about a field that is missing or of another type: a time in it need not be unsuited. */
const wrongForm = /\b(is|are) (required|missing)\b|must be an? (object|array|list|string|integer|number|boolean)\b/i;

/** Where the complaint about one field ends, and that about another begins. */
const betweenComplaints =
  /;\s+|,\s+(?=["'`]?[\w.[\]/-]+["'`]?(?: \w+){0,2} (?:is|are|must|should|cannot|can't|has|may|does)\b)/;

/** What is known of the fields that a refusal may mean. */
interface KnownFields {
  /** Their names as lists of such records spell them. */
  readonly shown?: readonly string[];
  /** The field that contains those of the body. */
  readonly wrapper?: string | undefined;
}

/** Reads the refusal of a body. `sent`: the body, whose names and values show which fields are meant. */
export function complaintOf(
  answer: RefusedAnswer,
  sent: unknown = {},
  { shown = [], wrapper }: KnownFields = {},
): Complaint {
  const refusal = partsOf(answer);
  const { sentences, fieldNames } = refusal;
  const { fields, certain } = namedFields(refusal, sent, shown);
  const hasUnknown = sentences.some((text) => unknownField.test(text));
  const isAboutTime = (text: string): boolean =>
    unsuitedTime.test(text) && !wrongForm.test(text) && !fieldNames.some(({ value }) => value === text);
  return {
    fields,
    certain,
    hasUnknown,
    isUnknown: (field) => hasUnknown && isUnknown(field, refusal),
    known: hasUnknown ? sentences.flatMap((text) => quotedNamesIn(knownFields.exec(text)?.[1] ?? '')) : [],
    spellingOf: (field) => spellingIn(sentences, field) ?? field,
    isAboutTime: sentences.some(isAboutTime),
    firstAllowed: firstAllowed(refusal, fields, sent),
    textAbout: (field) => textAbout(field, refusal),
    inner: innerFields(refusal.json, refusal.text, sent, wrapper),
  };
}

function isUnknown(field: string, refusal: RefusalParts): boolean {
  const own = refusal.texts.filter((text) => isOfField(text, field, refusal));
  const isNamed = (text: string): boolean => unknownField.test(text) && quotedNamesIn(text).includes(field);
  return own.length === 0 || own.some(({ value }) => unknownField.test(value)) || refusal.sentences.some(isNamed);
}

function firstAllowed(refusal: RefusalParts, fields: readonly string[], sent: unknown): ReadonlyMap<string, string> {
  const bySentence = refusal.sentences.flatMap((text) => allowedFieldIn(text, fields, sent));
  const byPlace = fields.flatMap((field) =>
    refusal.texts.flatMap((text): [string, string][] => {
      const first = isOfField(text, field, refusal) ? firstAllowedValue(text.value) : undefined;
      return first === undefined ? [] : [[field, first]];
    }),
  );
  return new Map([...bySentence, ...byPlace]);
}

function textAbout(field: string, refusal: RefusalParts): string {
  const pattern = patternOf(field);
  return refusal.texts
    .flatMap((text) =>
      isOfField(text, field, refusal)
        ? [text.value]
        : text.value.split(betweenComplaints).filter((part) => pattern.test(part)),
    )
    .join('\n');
}

/** A complaint about one field, of which a refusal says no more than `says`. */
export function complaintAbout(field: string, says: string): Complaint {
  const hasUnknown = unknownField.test(says);
  const [allowed] = allowedValues(says);
  return {
    fields: [field],
    certain: new Set([field]),
    hasUnknown,
    isUnknown: () => hasUnknown,
    known: [],
    spellingOf: () => field,
    isAboutTime: false,
    firstAllowed: new Map(allowed === undefined ? [] : [[field, allowed]]),
    textAbout: () => says,
    inner: [],
  };
}
