import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { githubAnnotations } from '../../../reports/annotations.ts';
import { consoleReport } from '../../../reports/console/console.ts';
import { exchangesHar } from '../../../reports/har.ts';
import { junitReport } from '../../../reports/junit.ts';
import { markdownReport } from '../../../reports/markdown.ts';
import type { Run } from '../../../results/verdict.ts';
import { samples } from './sample-runs.ts';

/** The reports that people read as text, one after the other. */
const texts = (run: Run): string =>
  [
    ['console', consoleReport(run, { page: 'reports/latest/conformance.html' })],
    ['console --observed', consoleReport(run, { observed: true })],
    ['summary.md', markdownReport(run)],
    ['annotations', githubAnnotations(run)],
  ]
    .map(([name, text]) => `===== ${name}\n${text}`)
    .join('\n');

/** junit.xml without the clauses of which it says nothing but that they passed, or that something was seen. */
const junit = (run: Run): string =>
  junitReport(run).replace(
    / *(<testcase [^>]*>(<system-out>Observed:\n\{ seen: true \}<\/system-out>)?<\/testcase>|<property name="\w+\.\w+\..*)\n/g,
    '',
  );

// After a change that is meant: npx vitest run --project unit selftest/unit/reports/golden.test.ts -u
describe('what people and tools read is as recorded', () => {
  test.for(['failing', 'green'] as const)('on the run %s', async (name) => {
    await expect(texts(samples[name])).toMatchFileSnapshot(`golden/${name}.txt`);
  });

  test('in junit.xml and exchanges.har', async () => {
    const timed = samples.failing.clauses.map((one) => ({ ...one, durationMs: 250 }));
    await expect(junit({ ...samples.failing, clauses: timed })).toMatchFileSnapshot('golden/junit.xml');
    await expect(exchangesHar(samples.failing)).toMatchFileSnapshot('golden/exchanges.har');
  });

  test('where a run ends in another way', async () => {
    const endings = Object.entries(samples).map(([name, run]) => {
      const lines = consoleReport(run).trimEnd().split('\n');
      const errors = junitReport(run).match(/name="[\w.-]+" time="[^"]*">\s*<(error|failure) message="[^"]*"/g) ?? [];
      const last = [...lines.slice(-2), ...markdownReport(run).split('\n', 3), ...errors.slice(0, 2)];
      return [`===== ${name}`, lines[0], '…', ...last].join('\n');
    });
    await expect(`${endings.join('\n')}\n`).toMatchFileSnapshot('golden/endings.txt');
  });
});

test('the console has colour only on request, and keeps to the width but for commands and the last line', () => {
  const text = consoleReport(samples.failing);
  expect(text).not.toContain('\u001b');
  expect(stripVTControlCharacters(consoleReport(samples.failing, { colour: true }))).toBe(text);
  const prose = text.trimEnd().split('\n').slice(0, -1);
  expect(prose.filter((line) => line.length > 100 && !/^ {4}(repeat| {6}) {5}/.test(line))).toEqual([]);
});

test.each(Object.entries(samples))('summary.md has at most 40 lines on the run %s', (_name, run) => {
  expect(markdownReport(run).trimEnd().split('\n').length).toBeLessThanOrEqual(40);
});
