import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { clauses } from '../../../contract/clauses.ts';
import { consoleReport } from '../../../reports/console.ts';
import { htmlReport } from '../../../reports/html.ts';
import { jsonReport } from '../../../reports/json.ts';
import { junitReport } from '../../../reports/junit.ts';
import { markdownReport } from '../../../reports/markdown.ts';
import { type Sample, samples } from './sample-runs.ts';

const sample = (name: string): Sample => {
  const found = samples[name];
  if (found === undefined) {
    throw new Error(`Cannot find a sample: ${name}`);
  }
  return found;
};
const failing = sample('failing');

describe('conformance.json', () => {
  const report = JSON.parse(jsonReport(failing.run)) as Record<string, unknown>;

  test("has the interface's fields, then ours", () => {
    expect(Object.keys(report)).toEqual([
      'format',
      'suite',
      'startedAt',
      'durationMs',
      'seed',
      'targets',
      'conformant',
      'exitCode',
      'reason',
      'totals',
      'requests',
      'clauses',
      'drift',
      'notes',
      'settings',
    ]);
    expect(report).toMatchObject({
      format: 1,
      conformant: false,
      exitCode: 1,
      totals: { fail: 2, warn: 1, pass: 122 },
    });
  });

  test('has a row for each clause, in one order of fields', () => {
    const rows = report.clauses as Record<string, unknown>[];
    expect(rows).toHaveLength(clauses.length);
    for (const row of rows) {
      expect(Object.keys(row).join()).toBe('id,level,title,source,verdict,findings,observed');
    }
    expect(jsonReport(failing.run)).toMatch(/^{\n {2}"format": 1,\n/);
  });

  test('says what waives a failure', () => {
    const { clauses: rows } = JSON.parse(jsonReport(sample('waived').run)) as { clauses: { id: string }[] };
    expect(rows.find(({ id }) => id === 'developer.auth.deleted-key')).toMatchObject({
      verdict: 'inconclusive',
      waiver: { expires: '2026-12-31' },
    });
  });
});

describe('junit.xml', () => {
  const warning =
    /<testcase classname="developer\.errors" name="developer\.errors\.malformed-json: [^>]*>\s*<(failure|system-out)/;

  test('groups test cases by chapter', () => {
    const suites = [...junitReport(failing.run).matchAll(/<testsuite name="([^"]+)"/g)].map(([, name]) => name);
    expect(suites).toEqual([...new Set(clauses.map(({ id }) => id.split('.').slice(0, 2).join('.')))]);
  });

  test('has a warning as output, and with STRICT as a failure', () => {
    expect(warning.exec(junitReport(sample('warned').run))?.[1]).toBe('system-out');
    expect(warning.exec(junitReport(sample('strict').run))?.[1]).toBe('failure');
  });

  test('says of a failure what the finding says, and of a gap what was observed', () => {
    const text = junitReport(failing.run);
    expect(text).toContain(
      '<failure message="Deleted key is accepted: 200 on GET /api/v1/platform/me" type="fail">Requirement: A key that was deleted gets 401',
    );
    expect(text).toContain('Expected: 401 with error code UNAUTHORIZED');
    expect(text).toContain('<system-out>Observed:\nrefused: [basic, cookie, token]\nworks: [bearer]</system-out>');
  });

  test("is red by the run's reason where no clause is", () => {
    expect(junitReport(sample('staleWaiver').run)).toContain(
      '<error message="Not conformant: Waiver is not needed: developer.auth.deleted-key passes',
    );
    expect(junitReport(sample('nothingJudged').run)).toContain(
      '<error message="Cannot be told: nothing was judged for the workspace API',
    );
  });
});

describe('conformance.html', () => {
  const page = htmlReport(failing.run, failing.exchanges);

  test('asks nothing of anywhere', () => {
    expect(page).not.toMatch(/<(link|img|iframe|object|embed|form|base)\b|\bsrc=|@import|url\(/i);
    expect(page).toMatch(
      /Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;sha256-[^ ;]+&#39;; script-src &#39;sha256-/,
    );
  });

  test('has each id once, and every link leads to one', () => {
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toHaveLength(new Set(ids).size);
    for (const [, target] of page.matchAll(/ href="#([^"]+)"/g)) {
      expect(ids).toContain(target);
    }
  });

  test('shows an exchange where it is first named, and opens what failed', () => {
    expect(page).toContain('<details class="exchange" id="exchange-developer-2">');
    expect(page).not.toContain('id="exchange-developer-1"');
    expect(page).toContain('<details class="clause fail" id="developer.auth.deleted-key" data-verdict="fail" open>');
    expect(page).toContain('<details class="clause observed" id="developer.errors.shape" data-verdict="observed">');
  });
});

describe('the console', () => {
  const text = consoleReport(failing.run);

  test('keeps to the width but for commands', () => {
    const long = text.split('\n').filter((line) => line.length > 100 && !/^ {4}Repeat /.test(line));
    expect(long).toEqual([]);
  });

  test('has colour only where asked for, and the same words then', () => {
    expect(text).not.toContain('\u001b');
    expect(stripVTControlCharacters(consoleReport(failing.run, { colour: true }))).toBe(text);
  });

  test('says what failed in full, and ends with the verdict', () => {
    for (const part of [
      'Requirement   A key that was deleted gets 401',
      'Expected      401 with',
      'Actual        200 with',
      'Place         /success',
      'Repeat        curl -sS',
      'Likely cause  Keys are cached',
    ]) {
      expect(text).toContain(part);
    }
    expect(text).toMatch(
      /Totals {2}122 pass, 2 fail, .*\nNOT CONFORMANT \(exit status 1\): 2 musts failed \([^)]*\)\n$/,
    );
  });

  test('groups skipped clauses by reason', () => {
    expect(consoleReport(sample('oneApi').run)).toMatch(
      /56 clauses: Not tried: set WORKSPACE_API_URL\n {4}workspace\.responses \(3\), /,
    );
  });

  test('shows a waived failure as one', () => {
    expect(consoleReport(sample('waived').run)).toMatch(
      /Waived \(failed, and set aside by WAIVERS\)\n\n {2}waived developer\.auth\.deleted-key/,
    );
  });
});

describe('summary.md', () => {
  test('puts what failed into blocks that open, with a command', () => {
    expect(markdownReport(failing.run)).toMatch(
      /<details><summary><b>developer\.auth\.deleted-key<\/b> \(must\).*\n\n.*\n\n\*\*Deleted key is accepted.*\n\n- Expected: `401 with error code UNAUTHORIZED`\n/,
    );
    expect(markdownReport(failing.run)).toContain('```sh\ncurl -sS');
  });

  test('lists what would decide the rest', () => {
    expect(markdownReport(failing.run)).toContain(
      '| Not tried: set LIVE\\_API\\_KEY | `developer.sandbox.isolation` |',
    );
  });
});
