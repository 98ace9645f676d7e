import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { developerEndpoints } from '../../contract/developer-endpoints.ts';
import { workspaceEndpoints } from '../../contract/workspace-endpoints.ts';

type Parts<T> = Readonly<Record<string, T>>;
interface Parameter {
  readonly name: string;
  readonly schema: { readonly enum?: readonly string[]; readonly maximum?: number };
}
interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Parts<{ readonly schema: { readonly required?: readonly string[] } }> };
}
interface Document {
  readonly paths: Parts<Parts<Operation>>;
}

const textOf = (name: string): string => readFileSync(`docs/openapi/${name}-api.yaml`, 'utf8');
const developer = parse(textOf('developer')) as Document;
const workspace = parse(textOf('workspace')) as Document;

test.for(['developer', 'workspace'])('a linter finds nothing in the document of the %s API', async (name) => {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: textOf(name), config });
  expect(problems.map(({ ruleId, message, location }) => `${ruleId} at ${location[0]?.pointer}: ${message}`)).toEqual(
    [],
  );
});

test.for([
  [developer, developerEndpoints],
  [workspace, workspaceEndpoints],
] as const)('its operations are the documented calls, with their parameters and bodies', ([{ paths }, endpoints]) => {
  const told = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { parameters = [], requestBody }]) => [
      `${method.toUpperCase()} ${path.replace('{id}', ':id')}`,
      parameters.filter(({ name }) => name !== 'id').map(({ name, schema }) => [name, schema.enum, schema.maximum]),
      requestBody === undefined ? null : (requestBody.content['application/json']?.schema.required ?? []),
    ]),
  );
  const documented = endpoints.map(({ id, query, body }) => [
    id,
    query.map(({ name, values, maximum }) => [name, values, maximum]),
    // The document shows what a key's creation needs in an example.
    id === 'POST /api/v1/developer/keys'
      ? ['name', 'environment', 'scopes']
      : body === undefined
        ? null
        : (body ?? []).filter(({ required }) => required).map(({ name }) => name),
  ]);
  expect(told.toSorted()).toEqual(documented.toSorted());
});
