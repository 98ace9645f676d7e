import { describe, expect, test } from 'vitest';
import { githubAnnotations } from '../../../reports/annotations.ts';
import { consoleReport } from '../../../reports/console/console.ts';
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

// After a change that is meant: npx vitest run --project unit selftest/unit/reports/golden.test.ts -u
describe('what people read is as recorded', () => {
  test.for(['failing', 'green'] as const)('on the run %s', async (name) => {
    await expect(texts(samples[name])).toMatchFileSnapshot(`golden/${name}.txt`);
  });

  test('where a run ends in another way', async () => {
    const endings = Object.entries(samples).map(([name, run]) => {
      const lines = consoleReport(run).trimEnd().split('\n');
      return [`===== ${name}`, lines[0], '…', ...lines.slice(-2), ...markdownReport(run).split('\n', 3)].join('\n');
    });
    await expect(`${endings.join('\n')}\n`).toMatchFileSnapshot('golden/endings.txt');
  });
});
