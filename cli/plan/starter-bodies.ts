import { existsSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CannotRun } from '../../common/cannot-run.ts';
import { fileTrouble } from '../../common/files.ts';
import type { JsonObject } from '../../common/json.ts';
import { checkedJson, readJsonFile } from '../../common/json-file.ts';
import type { EarlierRun } from '../../results/earlier.ts';
import { entryIn } from '../../suites/records/bodies.ts';
import { readRun } from '../read-file.ts';

const schema = fileURLToPath(new URL('../../settings/bodies.schema.json', import.meta.url));

/**
 * Writes a starter for BODIES: for each call whose body the last run left undecided, the last body that was sent. What
 * the file has already stays. Gives what to say. Throws CannotRun where there is no run, or the file cannot be used.
 */
export function writeStarter(file: string, reports: string): string {
  const before = existsSync(file) ? readJsonFile('--bodies', file, objectOf) : {};
  const entries = entriesOf(readRun(reports, `Cannot read the last run in ${reports}`));
  const added = Object.keys(entries).filter((call) => !(call in before));
  const $schema = `./${relative(dirname(resolve(file)), schema).replaceAll('\\', '/')}`;
  try {
    writeFileSync(file, `${JSON.stringify({ $schema, ...entries, ...before }, null, 2)}\n`);
  } catch (error) {
    throw new CannotRun(`Cannot write ${file}: ${fileTrouble(error)}`);
  }
  return added.length === 0
    ? `Wrote ${file}: the last run left no body undecided that is not in it\n`
    : `Wrote ${file} with ${added.join(', ')}: complete these bodies, and set BODIES=${file}\n`;
}

const objectOf = (json: unknown): JsonObject => checkedJson({ type: 'object', description: 'a JSON object' }, json);

/** The bodies to complete, by call, as the findings on undecided clauses have them. */
function entriesOf({ clauses }: EarlierRun): JsonObject {
  const open = clauses.filter(({ verdict }) => verdict === 'inconclusive');
  return Object.assign({}, ...open.flatMap(({ findings }) => findings.map(({ advice }) => entryIn(advice))));
}
