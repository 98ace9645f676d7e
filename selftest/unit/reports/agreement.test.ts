import { describe, test } from 'vitest';
import { expectAgreement } from './expect-agreement.ts';
import { samples } from './sample-runs.ts';

// For arbitrary runs: selftest/proof/reports.test.ts.
describe('console, JSON, JUnit, HTML, summary and exit status agree', () => {
  test.each(Object.entries(samples))('on the run %s', (_name, run) => expectAgreement(run));
});
