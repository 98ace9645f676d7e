import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { clauses } from '../../../contract/clauses.ts';
import { consoleReport } from '../../../reports/console/console.ts';
import { reportsOf, writeReports } from '../../../reports/write.ts';
import { type ClauseResult, type Run, totalsOf } from '../../../results/verdict.ts';
import { run } from './arbitrary.ts';
import { readConsole, readHtml, readJson, readJunit, readMarkdown, truthOf } from './readings.ts';
import { samples } from './sample-runs.ts';

const handMade = Object.entries(samples);

/** The rules of the interface that bind conformance.json, junit.xml and the exit status to each other. */
function expectAgreement(one: Run): void {
  const reports = reportsOf(one, (text) => text);
  const report = (name: string): string => reports.get(name) ?? '';
  const totals = totalsOf(one.clauses);
  const truth = truthOf(one);
  expect(readJson(report('conformance.json'))).toEqual(truth);
  expect(readHtml(report('conformance.html'))).toEqual(truth);
  expect(readMarkdown(report('summary.md'))).toEqual(truth);
  expect(readConsole(consoleReport(one))).toEqual(truth);
  const junit = readJunit(report('junit.xml'));
  expect(junit.cases).toBe(clauses.length);
  expect(junit.failures).toBe(totals.fail + (one.settings.STRICT === '1' ? totals.warn : 0));
  expect(junit.failures + junit.errors > 0).toBe(one.exitCode !== 0);
  expect({ 0: true, 1: false, 2: null }[one.exitCode]).toBe(one.conformant);
  expectRows(JSON.parse(report('conformance.json')) as { clauses: ClauseResult[] });
}

const allowed = { must: ['pass', 'fail'], should: ['pass', 'warn'], gap: ['observed'] } as const;

function expectRows({ clauses: rows }: { clauses: readonly ClauseResult[] }): void {
  expect(rows.map(({ id }) => id)).toEqual(clauses.map(({ id }) => id));
  for (const { level, verdict, findings, observed } of rows) {
    expect([...allowed[level], 'inconclusive', 'skip', 'broken']).toContain(verdict);
    expect(findings.length > 0).toBe(verdict !== 'pass' && verdict !== 'observed');
    if (verdict === 'observed') {
      expect(observed).not.toBeNull();
    }
  }
}

describe('console, JSON, JUnit, HTML, summary and exit status agree', () => {
  test.each(handMade)('on the run %s', (_name, one) => expectAgreement(one));

  test('on any run', { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(run, (one) => {
        expectAgreement(one);
      }),
      { numRuns: 60 },
    );
  });
});

/** The interface's own checker stands beside the repository on some machines; there, it has a say too. */
const checker = fileURLToPath(new URL('../../../../shared/check/report.mjs', import.meta.url));

if (existsSync(checker)) {
  describe("the interface's checker finds nothing", () => {
    const folder = mkdtempSync(join(tmpdir(), 'reports-'));
    afterAll(() => rmSync(folder, { recursive: true }));

    function complaints(one: Run): string {
      writeReports(one, folder, (text) => text);
      const { stdout, stderr } = spawnSync(process.execPath, [checker, folder, '--exit', String(one.exitCode)], {
        cwd: folder,
        encoding: 'utf8',
        timeout: 20_000,
      });
      return stdout + stderr;
    }

    test.each(handMade)('on the run %s', (_name, one) => {
      expect(complaints(one)).toMatch(/keeps to the interface\n$/);
    });

    test('on any run', { timeout: 120_000 }, () => {
      fc.assert(
        fc.property(run, (one) => {
          expect(complaints(one)).toMatch(/keeps to the interface\n$/);
        }),
        { numRuns: 25 },
      );
    });
  });
}
