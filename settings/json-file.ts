import { CannotRun } from '../common/cannot-run.ts';
import { jsonIn, readText } from '../common/files.ts';
import { messageOf } from '../common/message-of.ts';
import { shortenKeyLike } from '../common/redaction/key-like.ts';
import { WrongAt } from '../common/schema.ts';

/** Reads the JSON file that a setting or an option names, as `readJson` does. */
export const readJsonFile = <T>(setting: string, file: string, parse: (json: unknown) => T): T =>
  // A key may have been given in place of the file.
  readJson(file, parse, `Cannot use ${setting} ${shortenKeyLike(file)}`);

/**
 * What `parse` makes of a JSON file. Throws CannotRun, in one line that begins with `cannot`, if the file cannot be read,
 * is not JSON, or `parse` throws. A WrongAt is shown with its line and column.
 */
export function readJson<T>(file: string, parse: (json: unknown) => T, cannot: string): T {
  const text = withoutCommand(readText(file, cannot));
  const json = jsonIn(text, cannot);
  try {
    return parse(json);
  } catch (error) {
    const place = error instanceof WrongAt ? `${placeIn(text, error.pointer)}: ` : '';
    throw new CannotRun(`${cannot}: ${place}${messageOf(error)}`.replace(/\s+/g, ' '));
  }
}

/** What a command wrote, with blanks in place of the lines in which npm names the command: all else keeps its place. */
const withoutCommand = (text: string): string => text.replace(/^\s*(> .*\n)+/, (lines) => lines.replace(/[^\n]/g, ' '));

/** Tokens of JSON: strings, punctuation, and other scalars. */
const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** `line 3, column 5`: where the value at a pointer begins in a JSON text, or the nearest that contains it. */
function placeIn(text: string, pointer: WrongAt['pointer']): string {
  const tokens = [...text.matchAll(token)].map(({ 0: part, index }) => ({ part, index }));
  let next = 0;
  let found = tokens[0]?.index ?? 0;
  /** Passes a value. `way`: the names that lead on from it; null where it is not on the way. */
  const pass = (way: readonly string[] | null): void => {
    const opens = tokens[next]?.part ?? '';
    next += 1;
    if (opens !== '{' && opens !== '[') {
      return;
    }
    for (let item = 0; !/^[}\]]/.test(tokens[next]?.part ?? '}'); item += 1) {
      const { part, index } = tokens[next] ?? { part: '""', index: 0 };
      const name = opens === '{' ? JSON.parse(part) : `${item}`;
      const rest = way !== null && way[0] === name ? way.slice(1) : null;
      found = rest === null ? found : index;
      next += opens === '{' ? 2 : 0;
      pass(rest);
      next += tokens[next]?.part === ',' ? 1 : 0;
    }
    next += 1;
  };
  pass(pointer.map((name) => `${name}`));
  const before = text.slice(0, found).split('\n');
  return `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
}
