import { readFileSync } from 'node:fs';
import { clauses } from '../../contract/clauses.ts';
import { figureLines } from '../matrix/figures.ts';
import { withSection } from '../page.ts';
import { envExample } from './env-example.ts';
import { clauseTables, reportTable, settingTable } from './tables.ts';
import { unlockTable } from './unlocked.ts';

const read = (path: string): string => readFileSync(path, 'utf8');

const proof = (): string =>
  figureLines()
    .map((line) => `- ${line}`)
    .join('\n');

/** The README with current tables and the current number of clauses. */
async function readme(): Promise<string> {
  const text = read('README.md').replace(/\d+(?= requirements)/, String(clauses.length));
  return withSection(withSection(text, 'proof', proof()), 'unlocked', await unlockTable());
}

/** The files that `npm run docs` writes, by path. Only the parts between the marks of a section are generated. */
export const documents = async (): Promise<Readonly<Record<string, string>>> => ({
  'README.md': await readme(),
  'docs/clauses.md': withSection(read('docs/clauses.md'), 'clauses', clauseTables()),
  'docs/ci.md': withSection(read('docs/ci.md'), 'reports', reportTable()),
  'docs/settings.md': withSection(read('docs/settings.md'), 'settings', settingTable()),
  '.env.example': envExample(),
});
