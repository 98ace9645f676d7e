import { expect } from 'vitest';
import { clauses } from '../../contract/clauses.ts';
import type { ClauseResult } from '../../results/verdict.ts';
import { readConsole, readHtml, readJson, readJunit, readMarkdown, truthOf } from '../unit/reports/readings.ts';
import type { Ended } from './run-suite.ts';

interface Told {
  readonly reason: string;
  readonly clauses: readonly ClauseResult[];
}

/** Holds everything that a run gave out against each other; gives the clauses' results. */
export function expectAgreement({ code, stdout, stderr, reports }: Ended): ReadonlyMap<string, ClauseResult> {
  const report = (name: string): string => reports.get(name) ?? '';
  const told = JSON.parse(report('conformance.json')) as Told;
  const conformant = { 0: true, 1: false, 2: null }[code ?? -1] ?? null;
  const truth = truthOf({ exitCode: code as 0 | 1 | 2, conformant, clauses: told.clauses });
  expect(readJson(report('conformance.json'))).toEqual(truth);
  expect(readHtml(report('conformance.html'))).toEqual(truth);
  expect(readMarkdown(report('summary.md'))).toEqual(truth);
  expect([...reports.keys()].toSorted()).toEqual([
    'badge.json',
    'conformance.html',
    'conformance.json',
    'deliveries.har',
    'exchanges.har',
    'junit.xml',
    'profile.json',
    'repeat.sh',
    'summary.md',
  ]);
  const { cases, failures, errors } = readJunit(report('junit.xml'));
  expect([cases, failures + errors > 0]).toEqual([clauses.length, code !== 0]);
  // A run that could not begin says why in one line, and has no report to print.
  if (stdout === '') {
    expect(stderr.trimEnd().split('\n').at(-1)).toBe(told.reason);
  } else {
    expect(readConsole(stdout)).toEqual(truth);
  }
  return new Map(told.clauses.map((result) => [result.id, result]));
}

/** No secret stands in anything that the run gave out. */
export function expectNoSecret({ stdout, stderr, reports }: Ended, secrets: readonly string[]): void {
  const leaks = [['stdout', stdout], ['stderr', stderr], ...reports].flatMap(([name, text = '']) =>
    secrets
      .filter((secret) =>
        [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64').replace(/=+$/, '')].some((form) =>
          text.includes(form),
        ),
      )
      .map(() => name),
  );
  expect(leaks).toEqual([]);
}
