import { CannotRun } from '../common/cannot-run.ts';
import { fileTrouble } from '../common/file-trouble.ts';
import { isPlaced, placeIn } from '../common/json-place.ts';
import { readBounded } from '../common/read-bounded.ts';
import { shortenKeyLike } from '../common/redaction/key-like.ts';

const mostBytes = 50_000_000;

/**
 * Reads the JSON file that a setting names, and gives what `parse` makes of it. Throws CannotRun, with one line that
 * names the setting and the file, if the file cannot be read, is not JSON, or `parse` throws. An error that says where a
 * value is wrong (`wrongAt`) is shown with its line and column.
 */
export function readJsonFile<T>(setting: string, file: string, parse: (json: unknown) => T): T {
  // A key may have been given in place of the file.
  const shown = shortenKeyLike(file);
  const attempt = <R>(step: () => R, prefix = ''): R => {
    try {
      return step();
    } catch (error) {
      throw new CannotRun(`Cannot use ${setting} ${shown}: ${prefix}${fileTrouble(error)}`.replace(/\s+/g, ' '));
    }
  };
  // Some editors write a byte order mark, which is not JSON.
  const text = attempt(() =>
    readBounded(file, mostBytes)
      .toString('utf8')
      .replace(/^\ufeff/, ''),
  );
  const json = attempt(() => JSON.parse(text) as unknown, 'it is not JSON: ');
  return attempt(() => {
    try {
      return parse(json);
    } catch (error) {
      throw isPlaced(error) ? new Error(`${placeIn(text, error.pointer)}: ${error.message}`) : error;
    }
  });
}
