import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeReports } from '../../../reports/write.ts';
import { newFile, newFolder } from '../../new-folder.ts';
import { runOf } from './sample.ts';
import { samples } from './sample-runs.ts';

/** The names that users and CI systems rely on. */
const names = [
  'conformance.html',
  'conformance.json',
  'deliveries.har',
  'exchanges.har',
  'junit.xml',
  'profile.json',
  'summary.md',
];

test('the reports are in a folder that is made, with nothing else, and JSON shows what deceives readers as escapes', () => {
  const into = join(newFolder(), 'a', 'b');
  const acting = '\u009b2J\u007f\u202e\u{e0041}\u2028';
  const run = runOf({ results: samples.green.clauses, notes: [acting] });
  writeReports(run, into);
  writeReports(run, into);
  expect(readdirSync(into).sort()).toEqual(names);
  for (const name of names.filter((one) => /\.(json|har)$/.test(one))) {
    expect(readFileSync(join(into, name), 'utf8'), name).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}]/u);
  }
  expect(JSON.parse(readFileSync(join(into, 'conformance.json'), 'utf8')).notes).toEqual([acting]);
});

test('a folder that cannot be made is named, with cause and setting', () => {
  const file = newFile('file', '');
  expect(() => writeReports(samples.green, join(file, 'reports'))).toThrow(
    `Cannot write the reports to ${file}/reports: not a directory; set REPORTS_DIR to a folder that can be written`,
  );
});

test('a link in the place of a report is not followed', () => {
  const folder = newFolder();
  const outside = join(folder, 'outside');
  writeFileSync(outside, 'untouched');
  symlinkSync(outside, join(folder, 'conformance.json'));
  writeReports(samples.green, folder);
  expect(readFileSync(outside, 'utf8')).toBe('untouched');
  expect(readFileSync(join(folder, 'conformance.json'), 'utf8')).toContain('"format": 1');
});

test('if a file cannot be replaced, no partial report is left, and the earlier ones stay', () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'conformance.json'), 'earlier');
  mkdirSync(join(folder, 'conformance.html', 'in the way'), { recursive: true });
  expect(() => writeReports(samples.green, folder)).toThrow(/^Cannot write the reports to /);
  expect(readdirSync(folder).sort()).toEqual(['conformance.html', 'conformance.json']);
  expect(readFileSync(join(folder, 'conformance.json'), 'utf8')).toBe('earlier');
});
