import { resolve } from 'node:path';
import { stringify } from 'yaml';
import { developerDocument } from './developer.ts';
import { workspaceDocument } from './workspace.ts';

const folder = resolve(import.meta.dirname, '../../docs/openapi');
const head = '# Generated from contract/ by `npm run openapi`.\n';
const text = (document: object): string => head + stringify(document, { aliasDuplicateObjects: false, lineWidth: 120 });

/** The committed OpenAPI documents, by path. */
export const openapiFiles: Readonly<Record<string, string>> = {
  [`${folder}/developer-api.yaml`]: text(developerDocument),
  [`${folder}/workspace-api.yaml`]: text(workspaceDocument),
};
