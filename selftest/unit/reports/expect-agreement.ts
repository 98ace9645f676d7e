import { expect } from 'vitest';
import { clauses } from '../../../contract/clauses.ts';
import { consoleReport } from '../../../reports/console/console.ts';
import { reportFiles } from '../../../reports/files.ts';
import { reportTexts } from '../../../reports/write.ts';
import { type ClauseResult, type Run, totalsOf } from '../../../results/verdict.ts';
import {
  type JunitReading,
  type Reading,
  readConsole,
  readHtml,
  readJson,
  readJunit,
  readMarkdown,
  truthOf,
} from './readings.ts';

/**
 * Expects that all reports show the same verdicts. `shown` is the output of the console, or null. Returns the reading
 * of junit.xml.
 */
export function expectSameVerdicts(
  reports: ReadonlyMap<string, string>,
  shown: string | null,
  truth: Reading,
): JunitReading {
  const report = (name: string): string => reports.get(name) ?? '';
  expect([...reports.keys()].toSorted()).toEqual(Object.keys(reportFiles).toSorted());
  expect(readJson(report('conformance.json'))).toEqual(truth);
  expect(readHtml(report('conformance.html'))).toEqual(truth);
  expect(readMarkdown(report('summary.md'))).toEqual(truth);
  if (shown !== null) {
    expect(readConsole(shown)).toEqual(truth);
  }
  const junit = readJunit(report('junit.xml'));
  expect([junit.cases, junit.failures + junit.errors > 0]).toEqual([clauses.length, truth.exitCode !== 0]);
  return junit;
}

/** Expects that conformance.json, junit.xml and the exit status agree by the rules of the interface. */
export function expectAgreement(one: Run): void {
  const reports = reportTexts(one);
  const totals = totalsOf(one.clauses);
  const { failures } = expectSameVerdicts(reports, consoleReport(one), truthOf(one));
  expect(failures).toBe(totals.fail + (one.settings.STRICT === '1' ? totals.warn : 0));
  expect({ 0: true, 1: false, 2: null }[one.exitCode]).toBe(one.conformant);
  expectRows(JSON.parse(reports.get('conformance.json') ?? '') as { clauses: ClauseResult[] });
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
