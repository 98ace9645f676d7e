import { writeFileSync } from 'node:fs';
import { createCommand } from '../../cli/command.ts';
import { commandLine } from '../command.ts';
import { documents } from './documents.ts';

commandLine(
  createCommand('docs', '', 'Writes the tables that are generated from the contract, the proof and the plan.'),
);
for (const [path, text] of Object.entries(await documents())) {
  writeFileSync(path, text);
}
