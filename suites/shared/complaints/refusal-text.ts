import { isObject, parseJson } from '../../../common/json.ts';
import { jsonTrouble } from '../../../common/nesting.ts';

/** Most characters of one text, of one name, and of all texts. */
const mostOfText = 2_000;
const mostOfName = 100;
const mostInAll = 16_000;

/** The names and numbers in brackets as one path: `attendees.0.email`. */
const pathInBrackets = (text: string): string =>
  [...text.matchAll(/\["?([\w-]+)"?\]/g)].map(([, name = '']) => name).join('.');

/** Other ways to write a path, as most frameworks write it. */
const rewrites: readonly (readonly [RegExp, (text: string) => string])[] = [
  // Names in brackets, between which are types or a drawn tree: `Lead["slot"]->java.util.ArrayList[0]->Slot["from"]`.
  [
    /(?<![\w.$\][])[\w.$]*(?:\["[\w-]+"\]|\[[\w-]+\](?=\[))(?:(?:\s*[├└]─ |->[\w.$]*)?\[(?:"[\w-]+"|[\w-]+)\])*(?:\s*[├└]─ )?/g,
    (chain) => pathInBrackets(chain) + (/─ $/.test(chain) ? ': ' : ''),
  ],
  // `body -> slot -> from`.
  [/(?<=[\w\]])(?:[ \t]?(?:->|→)[ \t]?|[ \t]»[ \t])(?=\w)/g, () => '.'],
  [/\s+/g, (blanks) => (blanks.includes('\n') ? (/\n[ \t]+$/.test(blanks) ? '\n ' : '\n') : ' ')],
];

const shortened = (text: string): string =>
  rewrites
    .reduce((rewritten, [pattern, rewrite]) => rewritten.replace(pattern, rewrite), text.slice(0, 2 * mostOfText))
    .slice(0, mostOfText);

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
 * A refusal, abridged to the length that a person would read: nobody reads more, and none of the patterns that follow
 * has to be fast on long texts. `calledPath`: the path of the call, which is left out, since it is no field's.
 */
export function abridged(value: unknown, calledPath: string): unknown {
  let room = mostInAll;
  const take = (whole: string): string => {
    const text = calledPath.length > 1 ? whole.slice(0, 2 * mostOfText).replaceAll(calledPath, '') : whole;
    const taken = room === 0 ? '' : shortened(text).slice(0, room);
    room -= taken.length;
    return taken;
  };
  const copy = (one: unknown): unknown => {
    if (typeof one === 'string') {
      const parts = withInnerJson(one);
      return parts === undefined ? take(one) : copy(parts);
    }
    if (Array.isArray(one)) {
      return one.map(copy);
    }
    return isObject(one)
      ? Object.fromEntries(
          Object.entries(one)
            .filter(([key, held]) => !tellsOfItself(key, held))
            .map(([key, held]) => [key.slice(0, mostOfName), copy(held)]),
        )
      : one;
  };
  return copy(value);
}
