import { writeFileSync } from 'node:fs';
import { openapiFiles } from './files.ts';

/** `npm run openapi`: writes the OpenAPI documents of both APIs. */
for (const [path, text] of Object.entries(openapiFiles)) {
  writeFileSync(path, text);
}
