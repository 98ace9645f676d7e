import { readFileSync } from 'node:fs';
import { withSection } from '../page.ts';
import { envExample } from './env-example.ts';
import { clauseTables, reportTable, settingTable } from './tables.ts';

const withTable = (path: string, name: string, text: string): string =>
  withSection(readFileSync(path, 'utf8'), name, text);

/** The pages that need no run, by path: their tables come from the contract and the list of reports. */
export const pages = (): Readonly<Record<string, string>> => ({
  'docs/clauses.md': withTable('docs/clauses.md', 'clauses', clauseTables()),
  'docs/ci.md': withTable('docs/ci.md', 'reports', reportTable()),
  'docs/settings.md': withTable('docs/settings.md', 'settings', settingTable()),
  '.env.example': envExample(),
});
