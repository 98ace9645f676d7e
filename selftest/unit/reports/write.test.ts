import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { CannotRun } from '../../../common/cannot-run.ts';
import { reportFiles } from '../../../reports/files.ts';
import { writeReports } from '../../../reports/write.ts';
import { newFolder } from '../../new-folder.ts';
import { runOf } from './sample.ts';
import { samples } from './sample-runs.ts';

const names = Object.keys(reportFiles).toSorted();

/** The names that users and CI systems rely on. */
const promised = [
  'conformance.html',
  'conformance.json',
  'deliveries.har',
  'exchanges.har',
  'junit.xml',
  'profile.json',
  'summary.md',
];

let folder: string;
beforeEach(() => {
  folder = newFolder();
});

const write = (into: string): void => writeReports(samples.green, into);

describe('writing reports', () => {
  test('creates the folder, and leaves nothing but the reports in it', () => {
    const into = join(folder, 'a', 'b');
    write(into);
    write(into);
    expect(readdirSync(into).sort()).toEqual(names);
  });

  test('keeps the names that others rely on', () => {
    expect(promised.filter((name) => !names.includes(name))).toEqual([]);
  });

  test('escapes what acts on a terminal or deceives a reader in JSON', () => {
    const acting = '\u009b2J\u007f\u202e\u{e0041}\u2028';
    const run = runOf({ results: samples.green.clauses, notes: [acting] });
    writeReports(run, folder);
    for (const name of names.filter((one) => /\.(json|har)$/.test(one))) {
      expect(readFileSync(join(folder, name), 'utf8'), name).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}]/u);
    }
    expect(JSON.parse(readFileSync(join(folder, 'conformance.json'), 'utf8')).notes).toEqual([acting]);
  });

  test('names folder, cause and setting if the folder cannot be created', () => {
    writeFileSync(join(folder, 'file'), '');
    const into = join(folder, 'file', 'reports');
    expect(() => write(into)).toThrow(CannotRun);
    expect(() => write(into)).toThrow(
      new RegExp(
        `^Cannot write the reports to ${into}: not a directory; set REPORTS_DIR to a folder that can be written$`,
      ),
    );
  });

  test('does not follow a link in the place of a report', () => {
    const outside = join(folder, 'outside');
    writeFileSync(outside, 'untouched');
    const into = join(folder, 'reports');
    mkdirSync(into);
    for (const name of ['conformance.json', `.conformance.json.${process.pid}.tmp`]) {
      symlinkSync(outside, join(into, name));
    }
    write(into);
    expect(readFileSync(outside, 'utf8')).toBe('untouched');
    expect(readFileSync(join(into, 'conformance.json'), 'utf8')).toContain('"format": 1');
  });

  test('leaves no partial report, and keeps the earlier ones, if a file cannot be replaced', () => {
    writeFileSync(join(folder, 'conformance.json'), 'earlier');
    mkdirSync(join(folder, 'exchanges.har', 'in the way'), { recursive: true });
    expect(() => write(folder)).toThrow(/^Cannot write the reports to /);
    expect(readdirSync(folder).sort()).toEqual(['conformance.json', 'exchanges.har']);
    expect(readFileSync(join(folder, 'conformance.json'), 'utf8')).toBe('earlier');
  });
});
