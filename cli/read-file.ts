import { statSync } from 'node:fs';
import { join } from 'node:path';
import { CannotRun, messageOf } from '../common/cannot-run.ts';
import { checkedJson, readJsonAt } from '../common/json-file.ts';
import { commandOf } from '../common/suite.ts';
import schema from '../reports/conformance.schema.json' with { type: 'json' };
import type { EarlierRun } from '../results/earlier.ts';

const fileIn = (folder: string): string => join(folder, 'conformance.json');

/**
 * The run in a report: a conformance.json, or the one in a folder. Throws CannotRun, which says what cannot be done
 * without (`Cannot compare A`).
 */
export function readRun(path: string, cannot: string): EarlierRun {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory();
  try {
    const file = isFolder ? fileIn(path) : path;
    return readJsonAt(file, (json) => checkedJson<EarlierRun>(schema, json), cannot);
  } catch (error) {
    throw new CannotRun(
      `${messageOf(error)}; it must be a conformance.json or the folder of one, as ${commandOf('test')} writes it`,
    );
  }
}

/** The run whose report is in a folder; null if there is none, or if it cannot be read, which must not fail a new run. */
export function earlierRun(folder: string): EarlierRun | null {
  try {
    return statSync(fileIn(folder)).isFile() ? readRun(folder, '') : null;
  } catch {
    return null;
  }
}
