// npm run readme: puts the tables that come from the contract into README.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { withTables } from './tables.ts';

writeFileSync('README.md', withTables(readFileSync('README.md', 'utf8')));
