import { isObject, parseJson } from '../../../common/json.ts';
import { jsonTrouble } from '../../../common/nesting.ts';

/** Names under which errors have texts of their own. */
export const textName =
  /^(message|messages|msg|detail|details|title|reason|description|error|errors|text|hint|info|cause)$/i;

/** Names under which an entry of a list of errors says what kind of error it is. */
const kindName = /^(code|type|kind|rule|constraint|value|params|location|status)$/i;

/** Whether an object is an entry of a list of errors: `{"description": "must be set", "error": "BlankError"}`. */
export function isErrorEntry(value: unknown): boolean {
  const names = isObject(value) ? Object.keys(value) : [];
  return names.length > 1 && names.every((name) => textName.test(name) || kindName.test(name));
}

/** Most characters of one text, of one name, and of all texts. */
const mostOfText = 2_000;
const mostOfName = 100;
const mostInAll = 16_000;

/** The names and numbers in brackets as one path: `attendees.0.email`. */
const pathInBrackets = (text: string): string =>
  [...text.matchAll(/\["?([\w-]+)"?\]/g)].map(([, name = '']) => name).join('.');

/** Texts that a type allows, as a sentence does: `one of: call, demo`. */
const alternatives = (texts: string): string =>
  `one of: ${(texts.replace(/^one of:?/, '').match(/[\w.-]+/g) ?? []).join(', ')}`;

/** Other ways to write a path, or allowed values, and how most frameworks write them. */
const rewrites: readonly (readonly [RegExp, (text: string, ...groups: string[]) => string])[] = [
  // Symfony: `[slot][from]`.
  [/^(?:\[[\w-]+\])+$/, pathInBrackets],
  // Connexion: `'from' is a required property - 'slot'`.
  [/'([\w-]+)' is a required property - '([\w.-]+)'$/, (_, name, holder) => `'${holder}.${name}' is required`],
  [/^(.*) - '([\w.-]+)'$/, (_, complaint, path) => `${path}: ${complaint}`],
  // TypeScript: `"call" | "demo"`.
  [/(?:\bone of:? )?\(?["'][\w.-]+["'](?: ?\| ?["'][\w.-]+["'])+\)?/g, alternatives],
  // Zod: `✖ Invalid input`, and in the next line `→ at slot.from`.
  [/✖ ([^\n]{0,300})\n\s*→ at (\S+)/g, (_, complaint, path) => `${path}: ${complaint}`],
  // Effect: `└─ ["slot"]`, in the next line `└─ ["from"]`, and in the next one `└─ is missing`.
  [/(?:[├└]─ \["[\w-]+"\]\s+)+[├└]─ /g, (names) => `${pathInBrackets(names)}: `],
  // Jackson: `… (through reference chain: com.acme.CreateLead["language"])`.
  [
    /^(.*) \(through reference chain: (?:[\w.$]*\[[^\]]*\](?:->)?)+\)$/s,
    (text, complaint) => `${pathInBrackets(text.slice(complaint?.length ?? 0))}: ${complaint}`,
  ],
  // Jackson: `CreateLead["attendees"]->java.util.ArrayList[0]->Attendee["email"]`.
  [/(?<![\w.$])[\w.$]*\["[\w-]+"\](?:(?:->[\w.$]*)?\[(?:"[\w-]+"|\d+)\])*/g, pathInBrackets],
  // `body -> slot -> from`.
  [/(?<=[\w\]])[ \t]?(?:->|[→»])[ \t]?(?=\w)/g, () => '.'],
  [/\s+/g, (blanks) => (blanks.includes('\n') ? '\n' : ' ')],
];

const shortened = (text: string): string =>
  rewrites
    .reduce((rewritten, [pattern, rewrite]) => rewritten.replace(pattern, rewrite), text.slice(0, 2 * mostOfText))
    .slice(0, mostOfText);

/** Names under which refusals list the values that a field may have. */
const allowedName = /^(allowed|accepted|permitted|valid|possible|available)[_-]?\w*$|^(enum|options|choices)$/i;

/** A list of allowed values as a sentence; undefined: it is none. */
function allowedAsSentence(name: string, value: unknown): string | undefined {
  const isList = allowedName.test(name) && Array.isArray(value) && value.length > 0 && value.length < 50;
  return isList && value.every((one) => typeof one === 'string' && /^[\w.-]+$/.test(one))
    ? `must be one of: ${value.join(', ')}`
    : undefined;
}

/** The name of a value, abridged. A list of allowed values is a sentence about a field, and its name is no field's. */
const nameOf = (name: string, value: unknown): string =>
  allowedAsSentence(name, value) === undefined ? name.slice(0, mostOfName) : 'hint';

/**
 * A text with JSON in it, as an object of both: `Values were not valid: [{"name": "email", …}]`. undefined: it holds
 * none.
 */
function withInnerJson(text: string): object | undefined {
  const [start, end] = [text.search(/(?<![\w\]])[[{]\s*["{[]/), Math.max(text.lastIndexOf(']'), text.lastIndexOf('}'))];
  const part = start === -1 || end < start ? '' : text.slice(start, end + 1);
  const isSafe = part !== '' && part.length <= mostInAll && jsonTrouble(Buffer.from(part)) === null;
  const inner = isSafe ? parseJson(part) : undefined;
  return typeof inner === 'object' && inner !== null
    ? { message: `${text.slice(0, start)}${text.slice(end + 1)}`.trim(), errors: inner }
    : undefined;
}

/**
 * Names under which a refusal tells of itself, and not of the body: those of JSON-LD and, for addresses, those of problem
 * details (RFC 9457).
 */
const tellsOfItself = (name: string, value: unknown): boolean =>
  name.startsWith('@') || (/^(type|instance)$/.test(name) && typeof value === 'string' && value.startsWith('/'));

/**
 * A refusal, abridged to the length that a person would read: the patterns that find fields in sentences are slow on
 * long texts and on long stretches of blanks. `calledPath`: the path of the call, which is left out, since it is none of
 * a field.
 */
export function abridged(value: unknown, calledPath: string): unknown {
  let room = mostInAll;
  const take = (whole: string): string => {
    const text = calledPath.length > 1 ? whole.slice(0, 2 * mostOfText).replaceAll(calledPath, '') : whole;
    const taken = room === 0 ? '' : shortened(text).slice(0, room);
    room -= taken.length;
    return taken;
  };
  const copy = (one: unknown, name: string): unknown => {
    const allowed = allowedAsSentence(name, one);
    const text = allowed ?? one;
    if (typeof text === 'string') {
      const parts = withInnerJson(text);
      return parts === undefined ? take(text) : copy(parts, name);
    }
    if (Array.isArray(one)) {
      return one.map((member) => copy(member, ''));
    }
    return isObject(one)
      ? Object.fromEntries(
          Object.entries(one)
            .filter(([key, held]) => !tellsOfItself(key, held))
            .map(([key, held]) => [nameOf(key, held), copy(held, key)]),
        )
      : one;
  };
  return copy(value, '');
}
