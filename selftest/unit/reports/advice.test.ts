import { describe, expect, test } from 'vitest';
import { consoleReport } from '../../../reports/console/console.ts';
import { htmlReport } from '../../../reports/html/page.ts';
import { jsonReport } from '../../../reports/json.ts';
import { junitReport } from '../../../reports/junit.ts';
import { markdownReport } from '../../../reports/markdown.ts';
import { resultsOf, runOf } from './sample.ts';

const advice = 'Run it with some records';
const finding = { message: 'The list is empty', cause: 'A fresh deployment', advice };
const run = runOf({
  results: resultsOf({ 'developer.ads.campaigns': { verdict: 'inconclusive', findings: [finding] } }),
});

describe('what to do is told apart from the likely cause', () => {
  test.for([
    ['the console', consoleReport(run, { width: 300 }), `The list is empty. To decide it: ${advice}\n`],
    ['conformance.html', htmlReport(run), `To decide it</span> <span class="cause-text">${advice}`],
    ['junit.xml', junitReport(run), `Likely cause: A fresh deployment\nTo decide it: ${advice}`],
    ['summary.md', markdownReport(run), `- To decide \`developer.ads.campaigns\`: ${advice}`],
    ['conformance.json', jsonReport(run), `"advice": "${advice}"`],
  ] as const)('in %s', ([, text, told]) => {
    expect(text).toContain(told);
  });
});
