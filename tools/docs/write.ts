import { writeFileSync } from 'node:fs';
import { createCommand } from '../../cli/command.ts';
import { commandLine } from '../command.ts';
import { pages } from './documents.ts';

commandLine(
  createCommand('docs', '', 'Writes the tables that are generated from the contract and the list of reports.'),
);
// Only the parts between the marks of a section are generated.
for (const [path, text] of Object.entries(pages())) {
  writeFileSync(path, text);
}
