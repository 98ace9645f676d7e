import { describe, expect, test } from 'vitest';
import { clauses } from '../../../contract/clauses.ts';
import { jsonReport } from '../../../reports/json.ts';
import { junitReport } from '../../../reports/junit.ts';
import { markdownReport } from '../../../reports/markdown.ts';
import { samples } from './sample-runs.ts';

/** How many clauses pass or fail. */
const binding = clauses.filter(({ level }) => level !== 'gap').length;

describe('conformance.json', () => {
  const report = JSON.parse(jsonReport(samples.failing)) as Record<string, unknown>;

  test("has the fields of the interface and the suite's own", () => {
    expect(Object.keys(report).join()).toBe(
      'format,suite,startedAt,durationMs,seed,targets,embedded,selection,conformant,exitCode,reason,totals,requests,timing,fixFirst,unlocks,clauses,drift,since,notes,settings',
    );
    expect(report).toMatchObject({
      format: 1,
      conformant: false,
      exitCode: 1,
      totals: { fail: 3, warn: 1, pass: binding - 10 },
      fixFirst: [{ clause: 'workspace.bookings.create', waiting: ['workspace.events.booking-created'] }],
      unlocks: [
        { setting: 'WRITES=all', clauses: ['developer.auth.live-prefix'] },
        { setting: 'LIVE_API_KEY', clauses: ['developer.sandbox.isolation'] },
      ],
    });
  });

  test('has a row for each clause, with the fields in one order', () => {
    const rows = report.clauses as Record<string, unknown>[];
    expect(rows).toHaveLength(clauses.length);
    for (const row of rows) {
      expect(Object.keys(row).join()).toBe('id,level,title,source,verdict,findings,observed');
    }
    expect(jsonReport(samples.failing)).toMatch(/^{\n {2}"format": 1,\n/);
  });

  test('says why a failure is waived, and counts it', () => {
    const { clauses: rows, totals } = JSON.parse(jsonReport(samples.waived)) as {
      clauses: { id: string }[];
      totals: Record<string, number>;
    };
    expect(rows.find(({ id }) => id === 'developer.auth.deleted-key')).toMatchObject({
      verdict: 'inconclusive',
      waiver: { expires: '2026-12-31' },
    });
    expect(totals).toMatchObject({ inconclusive: 1, waived: 1 });
  });
});

describe('junit.xml', () => {
  const warning =
    /<testcase classname="developer\.errors" name="developer\.errors\.malformed-json"[^>]*>\s*<(failure|system-out)/;

  test('groups test cases by chapter', () => {
    const suites = [...junitReport(samples.failing).matchAll(/<testsuite name="([^"]+)"/g)].map(([, name]) => name);
    expect(suites).toEqual([...new Set(clauses.map(({ id }) => id.split('.').slice(0, 2).join('.')))]);
  });

  test('has a warning as output, and with STRICT as a failure', () => {
    expect(warning.exec(junitReport(samples.warned))?.[1]).toBe('system-out');
    expect(warning.exec(junitReport(samples.strict))?.[1]).toBe('failure');
  });

  test('shows the reason of an interrupted run at clauses that were not tried, and no passed clause as an error', () => {
    const [, name] = /<testcase [^>]*name="([\w.-]+)[^>]*>\s*<error /.exec(junitReport(samples.interrupted)) ?? [];
    expect(name).toMatch(/^workspace\./);
  });

  test('has the finding of a failure, the observation of a gap, and the duration of each case', () => {
    const timed = {
      ...samples.failing,
      clauses: samples.failing.clauses.map((clause) => ({ ...clause, durationMs: 250 })),
    };
    const text = junitReport(timed);
    expect(text).toContain(
      '<failure message="Deleted key is accepted: 200 on GET /api/v1/platform/me" type="fail">Requirement: A key that was deleted gets 401',
    );
    expect(text).toContain('Expected: 401 with error code UNAUTHORIZED');
    expect(text).toContain(
      '<system-out>Observed:\n{ refused: [ &#39;basic&#39;, &#39;cookie&#39;, &#39;token&#39; ], works: [ &#39;bearer&#39; ] }</system-out>',
    );
    expect([...text.matchAll(/<testcase [^>]* time="0\.250"/g)]).toHaveLength(clauses.length);
    expect(text).toMatch(/<testsuite name="developer\.auth"[^>]* time="2\.750"/);
  });

  test("has a failure or an error with the run's reason if no clause has one", () => {
    expect(junitReport(samples.staleWaiver)).toContain(
      '<error message="Not conformant: the deployment is conformant, but the waiver file is out of date: Waiver is unused: developer.auth.deleted-key passes',
    );
    expect(junitReport(samples.nothingJudged)).toContain(
      '<error message="Unknown: no clause of the workspace API could be judged',
    );
  });
});

test.each(Object.entries(samples))('summary.md has at most 40 lines on the run %s', (_name, run) => {
  expect(markdownReport(run).trimEnd().split('\n').length).toBeLessThanOrEqual(40);
});
