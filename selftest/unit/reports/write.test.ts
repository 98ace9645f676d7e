import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SaxesParser } from 'saxes';
import { beforeEach, describe, expect, test } from 'vitest';
import { CannotRun } from '../../../common/cannot-run.ts';
import { createRedactor } from '../../../common/redact.ts';
import { reportFiles } from '../../../reports/files.ts';
import { writeReports } from '../../../reports/write.ts';
import { newFolder } from '../../new-folder.ts';
import { samples } from './sample-runs.ts';

const names = Object.keys(reportFiles).toSorted();

/** The names that users and CI systems rely on. */
const promised = [
  'badge.json',
  'conformance.html',
  'conformance.json',
  'deliveries.har',
  'exchanges.har',
  'junit.xml',
  'profile.json',
  'repeat.sh',
  'summary.md',
];

let folder: string;
beforeEach(() => {
  folder = newFolder();
});

const write = (into: string, clean = (text: string): string => text): void => {
  writeReports(samples.green, into, clean);
};

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

  test('redacts every text once more', () => {
    write(folder, (text) => text.replaceAll('example.com', 'example.org'));
    for (const name of names) {
      expect(readFileSync(join(folder, name), 'utf8'), name).not.toContain('example.com');
    }
    expect(readFileSync(join(folder, 'conformance.json'), 'utf8')).toContain('https://developer.example.org');
  });

  test('keeps documents well-formed where a secret begins like a text and goes on like what is behind it', () => {
    const redactor = createRedactor();
    redactor.learn('SvC_TeSt_TiMe0123456789');
    write(folder, redactor.clean);
    const xml = readFileSync(join(folder, 'junit.xml'), 'utf8');
    expect(() => new SaxesParser().write(xml).close()).not.toThrow();
    expect(xml).toMatch(/svc_test_" time="/);
    expect(() => JSON.parse(readFileSync(join(folder, 'exchanges.har'), 'utf8'))).not.toThrow();
  });

  test('escapes what acts on a terminal or deceives a reader', () => {
    const acting = '\u009b2J\u007f\u202e\u{e0041}\u2028';
    write(folder, (text) => text.replaceAll('example.com', acting));
    for (const name of names.filter((one) => /\.(json|har)$/.test(one))) {
      const text = readFileSync(join(folder, name), 'utf8');
      expect(text, name).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}]/u);
      expect(() => JSON.parse(text)).not.toThrow();
    }
    const { targets } = JSON.parse(readFileSync(join(folder, 'conformance.json'), 'utf8'));
    expect(JSON.stringify(targets)).toContain(acting);
  });

  test('names folder, cause and setting if the folder cannot be created', () => {
    writeFileSync(join(folder, 'file'), '');
    const into = join(folder, 'file', 'reports');
    expect(() => write(into)).toThrow(CannotRun);
    expect(() => write(into)).toThrow(
      new RegExp(
        `^Cannot write the reports to ${into}: a part of the path is a file, not a folder; set REPORTS_DIR to a folder that can be written$`,
      ),
    );
  });

  test('gives up if no folder can be created at all', () => {
    expect(() => write('/proc/none/reports')).toThrow(CannotRun);
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
