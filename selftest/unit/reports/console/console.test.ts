import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { clauses } from '../../../../contract/clauses.ts';
import { consoleReport } from '../../../../reports/console/console.ts';
import type { Run } from '../../../../results/verdict.ts';
import { findingAbout, resultsOf, runOf } from '../sample.ts';
import { samples } from '../sample-runs.ts';

const linesOf = (text: string): string[] => text.trimEnd().split('\n');
const text = consoleReport(samples.failing);

describe('the console', () => {
  test('is at most 40 lines if everything passes, and has no observations', () => {
    const green = consoleReport(samples.green);
    expect(linesOf(green).length).toBeLessThanOrEqual(40);
    expect(green).not.toContain('epoch seconds');
    expect(consoleReport(samples.green, { observed: true })).toContain('epoch seconds');
  });

  test('keeps to the width, except for commands and the last line', () => {
    const prose = linesOf(text).slice(0, -1);
    expect(prose.filter((line) => line.length > 100 && !/^ {4}(repeat| {6}) {5}/.test(line))).toEqual([]);
  });

  test('has colour only on request, and the same text with and without', () => {
    expect(text).not.toContain('\u001b');
    expect(stripVTControlCharacters(consoleReport(samples.failing, { colour: true }))).toBe(text);
  });

  test('says what failed directly above the verdict, with a finding in at most 15 lines', () => {
    for (const part of [
      '✕ developer.auth.deleted-key: A key that was deleted gets 401',
      'expected   401 with',
      'got        200 with',
      'place      /success',
      'repeat     curl -sS',
      'likely     Keys are cached',
    ]) {
      expect(text).toContain(part);
    }
    const [, failed = ''] = /\n(Failed: [\s\S]*?)\n\nTotals/.exec(text) ?? [];
    const blocks = failed.split('\n\n');
    expect(Math.max(...blocks.map((block) => linesOf(block).length))).toBeLessThanOrEqual(15);
    expect(text).toMatch(
      /\nTotals {2}2 fail, .*\nNOT CONFORMANT \(exit status 1\): 2 must clauses failed \([^)]*\); drift: /,
    );
  });

  test('says which settings would decide more clauses, and which clauses wait for which', () => {
    expect(text).toContain('  Set WRITES=all to judge 1 more clause: developer.auth.live-prefix\n');
    expect(text).toContain('  workspace.events.booking-created: blocked by workspace.bookings.create\n');
    expect(text).toContain('  Fix workspace.bookings.create first (it blocks 1 clause)\n');
  });

  test('counts a waived failure as waived', () => {
    const waived = consoleReport(samples.waived);
    expect(waived).toMatch(
      / {2}developer\.auth\.deleted-key: waived: Failure is waived until 2026-12-31: fix is planned/,
    );
    expect(waived).toMatch(/\nTotals {2}1 waived, .*\nCONFORMANT .*, 1 waived/);
  });

  test('says how the time was spent, and on which clock', () => {
    const told =
      "at least 1 min 0 s to stay within the documented limits (SANDBOX_API_KEY: 143 calls at 120 a minute); longest waits: 48.0 s for the sandbox key's rate limit";
    const flat = (run: Run): string => consoleReport(run).replace(/\s+/g, ' ');
    expect(flat(samples.green)).toContain(` Took 12.3 s; ${told} Totals `);
    expect(flat(samples.reference)).toContain(
      `Took 12.3 s, because the reference's clock skips waits; in real time: ${told}`,
    );
    expect(flat({ ...samples.green, timing: null })).toContain(' Took 12.3 s Totals ');
  });

  test('says in its first and last lines that no deployment of the user’s was judged', () => {
    const lines = linesOf(consoleReport(samples.reference));
    expect(lines[0]).toMatch(/^No deployment of yours was judged/);
    expect(lines.at(-1)).toMatch(/no deployment of yours was judged, only the built-in reference/);
  });

  test('says in its last line that a run was partial, that nothing drifted, and where the report is', () => {
    expect(linesOf(consoleReport(samples.partial)).at(-1)).toMatch(/^CONFORMANT, PARTIAL \(exit status 0\): /);
    expect(linesOf(consoleReport(samples.noDrift, { page: 'reports/x.html' })).at(-1)).toMatch(
      /; no drift against PROFILE; report: reports\/x\.html$/,
    );
  });

  test('describes a half-built deployment in a few lines', () => {
    const missing = clauses.filter(({ level }) => level === 'must').slice(0, 40);
    const results = resultsOf(
      Object.fromEntries(
        missing.map(({ id }, index) => [
          id,
          {
            verdict: 'fail' as const,
            findings: [
              {
                message: `GET /api/v1/things/${index} does not succeed: 404`,
                expected: '2xx',
                actual: '404',
                request: { method: 'GET', url: `https://developer.example.com/api/v1/things/${index}` },
                response: { status: 404, traceId: null },
                curl: 'curl x',
              },
            ],
          },
        ]),
      ),
    );
    const half = consoleReport(runOf({ results }));
    expect(half).toMatch(/Failed: 40 clauses, 1 cause\n\n {2}✕ 40 documented endpoints answer 404: GET /);
    expect(linesOf(half).length).toBeLessThanOrEqual(60);
  });

  test('puts each cause of a long list on its own line', () => {
    const all = clauses.filter(({ level }) => level === 'must');
    const results = resultsOf(
      Object.fromEntries(
        all.map(({ id }) => [
          id,
          { verdict: 'fail' as const, findings: [findingAbout(1, { message: `Broken: ${id}` })] },
        ]),
      ),
    );
    expect(linesOf(consoleReport(runOf({ results }))).length).toBeLessThanOrEqual(220);
  });
});
