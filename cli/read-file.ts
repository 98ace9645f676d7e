import { statSync } from 'node:fs';
import { join } from 'node:path';
import { CannotRun, messageOf } from '../common/cannot-run.ts';
import { checkedJson, readJsonAt } from '../common/json-file.ts';
import { commandOf } from '../common/suite.ts';
import schema from '../reports/conformance.schema.json' with { type: 'json' };
import type { EarlierRun } from '../results/earlier.ts';

/**
 * The run in a report: a conformance.json, or the one in a folder. Throws CannotRun, which says what cannot be done
 * without (`Cannot compare A`).
 */
export function readRun(path: string, cannot: string): EarlierRun {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory();
  try {
    const file = isFolder ? join(path, 'conformance.json') : path;
    return readJsonAt(file, (json) => checkedJson<EarlierRun>(schema, json), cannot);
  } catch (error) {
    throw new CannotRun(
      `${messageOf(error)}; it must be a conformance.json or the folder of one, as ${commandOf('test')} writes it`,
    );
  }
}
