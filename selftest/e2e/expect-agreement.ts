import { expect } from 'vitest';
import type { ClauseResult } from '../../results/verdict.ts';
import { expectSameVerdicts } from '../unit/reports/expect-agreement.ts';
import { truthOf } from '../unit/reports/readings.ts';
import type { Ended } from './run-suite.ts';

interface Told {
  readonly reason: string;
  readonly clauses: readonly ClauseResult[];
}

/** Expects that all outputs of a run agree. Returns the results of the clauses. */
export function expectAgreement({ code, stdout, stderr, reports }: Ended): ReadonlyMap<string, ClauseResult> {
  const told = JSON.parse(reports.get('conformance.json') ?? '') as Told;
  const conformant = { 0: true, 1: false, 2: null }[code ?? -1] ?? null;
  const truth = truthOf({ exitCode: code as 0 | 1 | 2, conformant, clauses: told.clauses });
  // A run that could not begin says why in one line, and writes no report.
  expectSameVerdicts(reports, stdout === '' ? null : stdout, truth);
  if (stdout === '') {
    expect(stderr.trimEnd().split('\n').at(-1)).toBe(told.reason);
  }
  return new Map(told.clauses.map((result) => [result.id, result]));
}

/** Expects that no output of the run contains a secret. */
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
