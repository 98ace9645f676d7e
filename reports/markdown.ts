import { cut } from '../results/bound.ts';
import type { Run } from '../results/verdict.ts';
import { consoleReport } from './console/console.ts';
import { headline, narrowed } from './words.ts';

/** Most characters of the text: CI systems refuse long pages. */
const most = 50_000;

const icon = { Conformant: '✅', 'Not conformant': '❌', Unknown: '❔' } as const;

/**
 * summary.md, for the page of a CI job: the verdict as a heading, and what `npm test` prints as a block of code, in which
 * nothing from a target acts as markup, as a link or as a mention.
 */
export function markdownReport(run: Run): string {
  const word = headline(run);
  const aside = narrowed(run).length === 0 ? '' : ` (${narrowed(run).join(', ')})`;
  const lines = cut(consoleReport(run).trimEnd(), most).split('\n');
  return `# ${icon[word]} ${word}${aside}

${lines.map((line) => (line === '' ? '' : `    ${line}`)).join('\n')}

The whole report is [conformance.html](conformance.html) among the run’s files; \`npm run repeat -- CLAUSE\` reproduces a failure.
`;
}
