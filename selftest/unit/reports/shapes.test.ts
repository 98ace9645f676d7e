import { describe, expect, test } from 'vitest';
import { clauses } from '../../../contract/clauses.ts';
import { githubAnnotations } from '../../../reports/annotations.ts';
import { badgeReport } from '../../../reports/badge.ts';
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
      totals: { fail: 2, warn: 1, pass: binding - 8 },
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
    /<testcase classname="developer\.errors" name="developer\.errors\.malformed-json: [^>]*>\s*<(failure|system-out)/;

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
    expect(text).toContain('<system-out>Observed:\nrefused: [basic, cookie, token]\nworks: [bearer]</system-out>');
    expect([...text.matchAll(/<testcase [^>]* time="0\.250"/g)]).toHaveLength(clauses.length);
    expect(text).toMatch(/<testsuite name="developer\.auth"[^>]* time="2\.750"/);
  });

  test("has a failure or an error with the run's reason if no clause has one", () => {
    expect(junitReport(samples.staleWaiver)).toContain(
      '<error message="Not conformant: Waiver is unused: developer.auth.deleted-key passes',
    );
    expect(junitReport(samples.nothingJudged)).toContain(
      '<error message="Unknown: no clause of the workspace API could be judged',
    );
  });
});

describe('summary.md', () => {
  test('has the verdict, a line with the totals, and a line for each cause of failure', () => {
    const text = markdownReport(samples.failing);
    const judged = `${clauses.length - 5} of ${clauses.length} clauses judged`;
    expect(text.startsWith(`# ❌ Not conformant (${judged})\n\n**Exit status 1:** 2 must clauses failed`)).toBe(true);
    expect(text).toMatch(/^\*\*Totals:\*\* 2 fail, 1 warn, 2 inconclusive, 3 skip, .* pass, drift: 3 changes/m);
    expect(text).toContain('- ✕ **fail** `developer.auth.deleted-key`: Deleted key is accepted');
    expect(text).toContain('Expected `401 with error code UNAUTHORIZED`, got `200 with success true`.');
    expect(text).toContain('[conformance.html](conformance.html)');
  });

  test.each(Object.entries(samples))('has at most 40 lines on the run %s', (_name, run) => {
    expect(markdownReport(run).trimEnd().split('\n').length).toBeLessThanOrEqual(40);
  });

  test('says that no deployment of the user was judged', () => {
    expect(markdownReport(samples.reference)).toContain('> No deployment of yours was judged');
  });
});

describe('annotations', () => {
  test('are an error for each cause that failed the run, a warning for the rest', () => {
    const lines = githubAnnotations(samples.failing).trimEnd().split('\n');
    expect(lines.map((line) => /^::(\w+) title=([^:]*)::/.exec(line)?.slice(1))).toEqual([
      ['error', 'developer.auth.deleted-key'],
      ['error', 'workspace.agents.list'],
      ['warning', 'developer.errors.malformed-json'],
    ]);
    expect(lines[0]).toMatch(/Fix \S+ first/);
    expect(githubAnnotations(samples.strict)).toMatch(/^::error title=developer\.errors\.malformed-json::/);
    expect(githubAnnotations(samples.green)).toBe('');
  });

  test('give the reason if no clause does', () => {
    expect(githubAnnotations(samples.interrupted)).toMatch(/^::error title=Unknown::the run was stopped by SIGINT/);
  });
});

test('the badge says how the run ended and which deployment it tested', () => {
  expect(JSON.parse(badgeReport(samples.green))).toEqual({
    schemaVersion: 1,
    label: 'conformance',
    message: `conformant, ${binding} of ${binding}`,
    color: 'brightgreen',
  });
  expect(JSON.parse(badgeReport(samples.failing))).toMatchObject({ color: 'red' });
  expect(JSON.parse(badgeReport(samples.reference))).toMatchObject({
    message: `reference, conformant, ${binding} of ${binding}`,
    color: 'blue',
  });
});
