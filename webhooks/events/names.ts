import { type EventKind, eventKinds } from '../../contract/events.ts';

/** The documented kind that a text is, by itself or after its sender's namespace: `com.acme.booking.created`. */
export const kindOf = (text: string): EventKind | null =>
  eventKinds.find((kind) => text === kind || (text.endsWith(kind) && namespace.test(text.slice(0, -kind.length)))) ??
  null;

const namespace = /^([A-Za-z][\w-]*[.:/]+){2,}$/;

/** The documented kinds that occur as words in any text. */
export const kindsInText = (text: string): EventKind[] =>
  eventKinds.filter((kind) =>
    new RegExp(`(?<![\\w.-])${kind.replace('.', String.raw`\.`)}(?![\\w-]|\\.\\w)`).test(text),
  );

/** Fields that hold an event's name, whatever it is. `type` does so too, in an envelope or with a name of two words. */
const eventField = /^(event|topic|event[_-]?(type|name|topic)|event[_-]?kind)$/i;
const typeField = /^_?(type|kind)$/i;

/**
 * The event that the text in a field names; undefined if it names none. `isEnvelope`: the object with the field also
 * holds an object or a list. `isOuter`: it is not within another.
 */
export function nameIn(
  field: string,
  value: string,
  isEnvelope: boolean,
  isOuter: boolean,
): { readonly kind: EventKind | null; readonly name: string } | undefined {
  const text = value.trim();
  const kind = text.length <= 100 ? kindOf(text) : null;
  if (kind !== null) {
    return { kind, name: kind };
  }
  const isName = text !== '' && text.length <= 100 && isOuter;
  const isTyped = typeField.test(field) && (isEnvelope || /^[A-Za-z]\w*[.:/][A-Za-z][\w.:/-]*$/.test(text));
  return isName && (eventField.test(field) || isTyped) ? { kind: null, name: text } : undefined;
}

/** Fields for what an event is about, and for what happened, if each has a field of its own. */
const aboutField = /^((event|resource|object|entity)_?)?(resource|object|entity|model|subject|topic|type)$/i;
const happenedField = /^(event|action|operation|type|(event|action)_?(type|name))$/i;

/** The documented kind that two fields make up: `{"resource": "booking", "action": "created"}`. */
export const nameOfTwo = (object: Readonly<Record<string, unknown>>): EventKind | null =>
  eventKinds.find((kind) => {
    const [about, happened] = kind.split('.');
    const holds = (field: RegExp, word: string | undefined): boolean =>
      Object.entries(object).some(([name, value]) => value === word && field.test(name));
    return holds(aboutField, about) && holds(happenedField, happened);
  }) ?? null;
