import { writeFileSync } from 'node:fs';
import { commandLine, createCommand } from '../../cli/command.ts';
import { documents } from './documents.ts';

commandLine(
  createCommand('docs', '', 'Writes the tables and pages that are made from the contract, the proof and the plan.'),
);
for (const [path, text] of Object.entries(await documents())) {
  writeFileSync(path, text);
}
