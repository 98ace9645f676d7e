import { readFileSync } from 'node:fs';
import { clauses } from '../../contract/clauses.ts';
import { withSection } from '../page.ts';
import { figureLines } from '../proof/figures.ts';
import { pages } from './pages.ts';
import { unlockTable } from './unlocked.ts';

const proof = (): string =>
  figureLines()
    .map((line) => `- ${line}`)
    .join('\n');

/** The README with current tables and the current number of clauses. */
export async function readme(): Promise<string> {
  const text = readFileSync('README.md', 'utf8').replace(/\d+(?= requirements)/, String(clauses.length));
  return withSection(withSection(text, 'proof', proof()), 'unlocked', await unlockTable());
}

/** The files that `npm run docs` writes, by path. Only the parts between the marks of a section are generated. */
export const documents = async (): Promise<Readonly<Record<string, string>>> => ({
  'README.md': await readme(),
  ...pages(),
});
