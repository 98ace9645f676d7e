import { CannotRun, messageOf } from '../common/cannot-run.ts';
import { jsonIn, readText } from '../common/files.ts';
import { shortenKeyLike } from '../common/redaction/key-like.ts';

/** Reads the JSON file that a setting or an option names, as `readJson` does. */
export const readJsonFile = <T>(setting: string, file: string, parse: (json: unknown) => T): T =>
  // A key may have been given in place of the file.
  readJson(file, parse, `Cannot use ${setting} ${shortenKeyLike(file)}`);

/**
 * What `parse` makes of a JSON file. Throws CannotRun, in one line that begins with `cannot`, if the file cannot be read,
 * is not JSON, or `parse` throws.
 */
export function readJson<T>(file: string, parse: (json: unknown) => T, cannot: string): T {
  const json = jsonIn(withoutCommand(readText(file, cannot)), cannot);
  try {
    return parse(json);
  } catch (error) {
    throw new CannotRun(`${cannot}: ${messageOf(error)}`.replace(/\s+/g, ' '));
  }
}

/** What a command wrote, with blanks in place of the lines in which npm names the command: all else keeps its place. */
const withoutCommand = (text: string): string => text.replace(/^\s*(> .*\n)+/, (lines) => lines.replace(/[^\n]/g, ' '));
