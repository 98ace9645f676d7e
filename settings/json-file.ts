import { CannotRun } from '../common/cannot-run.ts';
import { WrongAt } from '../common/checked-json.ts';
import { fileTrouble } from '../common/file-trouble.ts';
import { readBounded } from '../common/read-bounded.ts';
import { shortenKeyLike } from '../common/redaction/key-like.ts';

const mostBytes = 50_000_000;

/**
 * Reads the JSON file that a setting names, and gives what `parse` makes of it. Throws CannotRun, with one line that
 * names the setting and the file, if the file cannot be read, is not JSON, or `parse` throws. A WrongAt is shown with
 * its line and column.
 */
export function readJsonFile<T>(setting: string, file: string, parse: (json: unknown) => T): T {
  // A key may have been given in place of the file.
  const shown = shortenKeyLike(file);
  const attempt = <R>(step: () => R, prefix: (error: unknown) => string = () => ''): R => {
    try {
      return step();
    } catch (error) {
      const why = `${prefix(error)}${fileTrouble(error)}`;
      throw new CannotRun(`Cannot use ${setting} ${shown}: ${why}`.replace(/\s+/g, ' '));
    }
  };
  // Some editors write a byte order mark, which is not JSON.
  const text = attempt(() =>
    readBounded(file, mostBytes)
      .toString('utf8')
      .replace(/^\ufeff/, ''),
  );
  const json = attempt(
    () => JSON.parse(text) as unknown,
    () => 'it is not JSON: ',
  );
  return attempt(
    () => parse(json),
    (error) => (error instanceof WrongAt ? `${placeIn(text, error.pointer)}: ` : ''),
  );
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
