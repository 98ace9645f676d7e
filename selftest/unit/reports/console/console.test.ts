import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { consoleReport } from '../../../../reports/console/console.ts';
import { resultsOf, runOf } from '../sample.ts';
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

  test('has a line for clauses that passed with undecided parts, and advice in full', () => {
    const why = 'POST /v1/agents got 429 for minutes';
    const advice = `Add a working body to your BODIES file: ${'{"name": "x"} '.repeat(60).trim()}`;
    const page = consoleReport(
      runOf({
        results: resultsOf({
          'developer.auth.missing-key': { verdict: 'pass', observed: { undecided: [why, why] } },
          'developer.auth.invalid-key': { verdict: 'pass', observed: { undecided: [why] } },
          'workspace.agents.create': { verdict: 'inconclusive', findings: [{ message: 'No body is known', advice }] },
        }),
      }),
    );
    expect(page.replace(/\s+/g, ' ')).toContain(
      `developer.auth.missing-key, developer.auth.invalid-key: passed, with 3 parts undecided: ${why}`,
    );
    expect(page.replace(/\s+/g, ' ')).toContain(`To decide it: ${advice}`);
  });
});
