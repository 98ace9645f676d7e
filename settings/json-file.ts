import { createRequire } from 'node:module';
import { CannotRun, messageOf } from '../common/cannot-run.ts';
import { jsonIn, readText } from '../common/files.ts';
import { escapeToken } from '../common/json.ts';
import { shortenKeyLike } from '../common/redaction/key-like.ts';
import { WrongAt } from '../common/schema.ts';

const load = createRequire(import.meta.url);

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

/** `line 3, column 5`: where the value at a pointer begins in a JSON text, or the nearest that contains it. */
function placeIn(text: string, names: WrongAt['pointer']): string {
  // Loaded only where a file is wrong: it is large.
  const { getLineColLocation, Source } = load('@redocly/openapi-core') as typeof import('@redocly/openapi-core');
  const pointer = `#/${names.map((name) => escapeToken(`${name}`)).join('/')}`;
  const { start } = getLineColLocation({ source: new Source('', text), pointer, reportOnKey: true });
  return `line ${start.line}, column ${start.col}`;
}
