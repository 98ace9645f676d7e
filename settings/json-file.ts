import { CannotRun } from '../common/cannot-run.ts';
import { WrongAt } from '../common/checked-json.ts';
import { readText } from '../common/files.ts';
import { messageOf } from '../common/message-of.ts';
import { shortenKeyLike } from '../common/redaction/key-like.ts';

/**
 * Reads the JSON file that a setting names, and gives what `parse` makes of it. Throws CannotRun, with one line that
 * names the setting and the file, if the file cannot be read, is not JSON, or `parse` throws. A WrongAt is shown with
 * its line and column.
 */
export function readJsonFile<T>(setting: string, file: string, parse: (json: unknown) => T): T {
  // A key may have been given in place of the file.
  const cannot = `Cannot use ${setting} ${shortenKeyLike(file)}`;
  const text = readText(file, cannot);
  const refuse = (why: string): never => {
    throw new CannotRun(`${cannot}: ${why}`.replace(/\s+/g, ' '));
  };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return refuse(`it is not JSON: ${messageOf(error)}`);
  }
  try {
    return parse(json);
  } catch (error) {
    return refuse(`${error instanceof WrongAt ? `${placeIn(text, error.pointer)}: ` : ''}${messageOf(error)}`);
  }
}

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
