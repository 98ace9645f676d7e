import { writeFileSync } from 'node:fs';
import { createCommand } from '../../cli/command.ts';
import { commandLine } from '../command.ts';
import { pages, readme } from './documents.ts';

commandLine(
  createCommand('docs', '', 'Writes the tables that are generated from the contract, the proof and the plan.'),
);
// Only the parts between the marks of a section are generated.
for (const [path, text] of Object.entries({ 'README.md': await readme(), ...pages() })) {
  writeFileSync(path, text);
}
