import { writeFileSync } from 'node:fs';
import { commandLine, createCommand } from '../../cli/command.ts';
import { openapiFiles } from './files.ts';

commandLine(createCommand('openapi', '', 'Writes the OpenAPI documents of both APIs, in docs/openapi.'));
for (const [path, text] of Object.entries(openapiFiles)) {
  writeFileSync(path, text);
}
