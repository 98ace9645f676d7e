import { type EventKind, eventKinds } from '../../contract/events.ts';

/**
 * An event's name. The higher the confidence, the surer it is one; 4 and more means a documented kind in a single text.
 */
export interface Named {
  readonly kind: EventKind | null;
  readonly name: string;
  readonly confidence: number;
}

const kinds: readonly string[] = eventKinds;
const isKind = (text: string): text is EventKind => kinds.includes(text);
const byBase64 = new Map(
  eventKinds.flatMap((kind) =>
    ['base64', 'base64url'].map((form) => [Buffer.from(kind).toString(form as 'base64'), kind] as const),
  ),
);

/**
 * A documented kind after its sender's namespace, as CloudEvents recommends: `com.acme.booking.created`,
 * `urn:acme:booking.created`.
 */
const kindInNamespace = (text: string): EventKind | null =>
  eventKinds.find((kind) => text.endsWith(kind) && /^([A-Za-z][\w-]*[.:/]+){2,}$/.test(text.slice(0, -kind.length))) ??
  null;

const wordsOf = (text: string): string[] =>
  text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .map((word) => word.replace(/s$/, ''))
    .filter((word) => word.length > 2);
const kindWords = new Set(eventKinds.flatMap(wordsOf));

/**
 * Whether a name has two words or more, one of which is in a documented kind: `booking_archived`, `invoice.created`.
 */
function isRelated(text: string): boolean {
  const words = wordsOf(text);
  return /^[\w.:/-]+$/.test(text) && words.length > 1 && words.some((word) => kindWords.has(word));
}

/** Whether a name has words joined by dots, slashes or colons, as event names have. */
const isJoined = (text: string): boolean => /^[A-Za-z][\w-]*(?:[.:/][A-Za-z][\w-]*)+$/.test(text);

/** Fields that hold an event's name. */
const eventPlace = /event|topic/i;
const typePlace = /^_?(type|kind)$|[_-](type|kind)$|[a-z](Type|Kind)$/;
/** Fields that count only if their text looks like a documented kind. */
const loosePlace = /^(name|subject|action|trigger|operation)$/i;
/** Fields of an event that do not hold its name. */
const otherPlace =
  /(id|ids|time|at|date|version|source|url|uri|count|number|key|secret|token|signature|data|payload|status)$/i;

/**
 * The event that the text `value` in the field `name` names; undefined if it names none. `enveloped`: the object with
 * the field also holds something with fields of its own.
 */
export function namedBy(name: string, value: string, enveloped: boolean): Named | undefined {
  const text = value.trim();
  if (text === '' || text.length > 100) {
    return undefined;
  }
  const kind = isKind(text) ? text : (byBase64.get(text) ?? null);
  const weight = weightOf(name);
  if (kind !== null) {
    return { kind, name: kind, confidence: 4 + weight };
  }
  const behind = weight > 0 ? kindInNamespace(text) : null;
  if (behind !== null) {
    return { kind: behind, name: behind, confidence: 4 + weight };
  }
  const isLoose = enveloped && loosePlace.test(name) && !otherPlace.test(name);
  const confidence = confidenceIn(text, weight, isLoose, enveloped);
  return confidence === 0 ? undefined : { kind: null, name: text, confidence };
}

/** How strongly a field's name suggests that its text names an event: `event_name` 2, `type` 1, others 0. */
type Weight = 0 | 1 | 2;

function weightOf(name: string): Weight {
  if (eventPlace.test(name) && !otherPlace.test(name)) {
    return 2;
  }
  return typePlace.test(name) ? 1 : 0;
}

/** The confidence in a name that is no documented kind, by its form and by the weight of its field's name. */
const confidences = { related: [0, 3, 3], joined: [0, 2, 3], plain: [0, 1, 1.5] } as const;

function confidenceIn(text: string, weight: Weight, isLoose: boolean, enveloped: boolean): number {
  if (isRelated(text)) {
    return weight === 0 && isLoose ? 2 : confidences.related[weight];
  }
  if (isJoined(text)) {
    return confidences.joined[weight];
  }
  return weight === 1 && !enveloped ? 0 : confidences.plain[weight];
}

/** The event that a field's own name is, as in `{"booking.created": {…}}`. */
export function namedByKey(key: string): Named | undefined {
  if (isKind(key)) {
    return { kind: key, name: key, confidence: 5 };
  }
  return key.length <= 100 && isJoined(key) && isRelated(key) ? { kind: null, name: key, confidence: 2 } : undefined;
}

/** Fields for what an event is about, and for what happened, if each has a field of its own. */
const aboutPlace =
  /^((event|resource|object|entity)_?)?(resource|object|entity|model|subject|category|topic|type|kind)$/i;
const happenedPlace = /^(event|action|verb|operation|trigger|type|(event|action)_?(type|name|action))$/i;

/** The documented kind that two fields make up: `{"resource": "booking", "action": "created"}`. */
export const namedByTwo = (object: Readonly<Record<string, unknown>>): Named | undefined =>
  eventKinds
    .filter((kind) => {
      const [about, happened] = kind.split('.');
      const holds = (place: RegExp, word: string | undefined): boolean =>
        Object.entries(object).some(([name, value]) => value === word && place.test(name));
      return holds(aboutPlace, about) && holds(happenedPlace, happened);
    })
    .map((kind) => ({ kind, name: kind, confidence: 2.5 }))[0];

/** The documented kinds that occur as words in any text. */
export const kindsInText = (text: string): EventKind[] =>
  eventKinds.filter((kind) =>
    new RegExp(`(?<![\\w.-])${kind.replace('.', String.raw`\.`)}(?![\\w-]|\\.\\w)`).test(text),
  );
