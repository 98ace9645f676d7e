import { readFileSync } from 'node:fs';
import { clauses } from '../../contract/clauses.ts';
import { figureLines } from '../matrix/figures.ts';
import { withSection } from '../page.ts';
import { envExample } from './env-example.ts';
import { clauseTables, settingTable } from './tables.ts';
import { unlockTable } from './unlocked.ts';

const read = (path: string): string => readFileSync(path, 'utf8');

const proof = (): string =>
  figureLines()
    .map((line) => `- ${line}`)
    .join('\n');

/** The README with its tables, and the number of clauses, made anew. */
async function readme(): Promise<string> {
  const text = read('README.md').replace(/\d+(?= requirements)/, String(clauses.length));
  return withSection(withSection(text, 'proof', proof()), 'unlocked', await unlockTable());
}

/** Every file that `npm run docs` writes, by its path. What stands between the marks of a section is made here. */
export const documents = async (): Promise<Readonly<Record<string, string>>> => ({
  'README.md': await readme(),
  'docs/clauses.md': withSection(read('docs/clauses.md'), 'clauses', clauseTables()),
  'docs/settings.md': withSection(read('docs/settings.md'), 'settings', settingTable()),
  '.env.example': envExample(),
});
