import { expect } from 'vitest';
import { clauses } from '../../../contract/clauses.ts';
import { consoleReport } from '../../../reports/console/console.ts';
import { reportsOf } from '../../../reports/write.ts';
import { type ClauseResult, type Run, totalsOf } from '../../../results/verdict.ts';
import { readConsole, readHtml, readJson, readJunit, readMarkdown, truthOf } from './readings.ts';

/** The rules of the interface that bind conformance.json, junit.xml and the exit status to each other. */
export function expectAgreement(one: Run): void {
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
