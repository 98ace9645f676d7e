import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { developerEndpoints } from '../../contract/developer-endpoints.ts';
import { workspaceEndpoints } from '../../contract/workspace-endpoints.ts';
import { developerDocument } from '../../tools/openapi/developer.ts';
import { openapiFiles } from '../../tools/openapi/files.ts';
import { workspaceDocument } from '../../tools/openapi/workspace.ts';

test.for(Object.entries(openapiFiles))(
  '%s is generated from the contract, and a linter finds nothing',
  async ([path, text]) => {
    expect(readFileSync(path, 'utf8'), 'stale: npm run openapi').toBe(text);
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({ source: text, config });
    expect(problems.map(({ ruleId, message, location }) => `${ruleId} at ${location[0]?.pointer}: ${message}`)).toEqual(
      [],
    );
  },
);

test.for([
  [developerDocument, developerEndpoints],
  [workspaceDocument, workspaceEndpoints],
] as const)('every documented call is an operation', ([document, endpoints]) => {
  const paths = document.paths as Record<string, Record<string, unknown>>;
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path.replace('{id}', ':id')}`),
  );
  expect(operations.toSorted()).toEqual(endpoints.map(({ id }) => id).toSorted());
});
