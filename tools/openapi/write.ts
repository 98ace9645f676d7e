import { writeFileSync } from 'node:fs';
import { createCommand } from '../../cli/command.ts';
import { commandLine } from '../command.ts';
import { openapiFiles } from './files.ts';

commandLine(createCommand('openapi', '', 'Writes the OpenAPI documents of both APIs, in docs/openapi.'));
for (const [path, text] of Object.entries(openapiFiles)) {
  writeFileSync(path, text);
}
