import { expect, test } from 'vitest';
import { htmlReport } from '../../../reports/html/page.ts';
import { jsonReport } from '../../../reports/json.ts';
import { junitReport } from '../../../reports/junit.ts';
import { resultsOf, runOf } from './sample.ts';

const calls = ['GET /v1/agents', 'POST /v1/agents', 'GET /v1/leads', 'POST /v1/leads', 'GET /v1/bookings'];

test('a finding on several calls names all of them on the page, in JUnit and in JSON', () => {
  const finding = { message: 'A call without a key got 200, not 401, on 5 endpoints', calls };
  const results = resultsOf({ 'workspace.auth.missing-key': { verdict: 'fail', findings: [finding] } });
  const run = runOf({ results });
  expect(htmlReport(run)).toContain(`<code>${calls.join(', ')}</code>`);
  expect(junitReport(run)).toContain(`Calls: ${calls.join(', ')}`);
  const { clauses } = JSON.parse(jsonReport(run)) as { clauses: { id: string; findings: { calls?: string[] }[] }[] };
  expect(clauses.find(({ id }) => id === 'workspace.auth.missing-key')?.findings[0]?.calls).toEqual(calls);
});
