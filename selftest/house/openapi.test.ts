import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createRedactor } from '../../common/redact.ts';
import { developerEndpoints } from '../../contract/developer-endpoints.ts';
import { workspaceEndpoints } from '../../contract/workspace-endpoints.ts';
import { judgeRecording } from '../../suites/recorded/judge-recording.ts';
import { readRecording } from '../../suites/recorded/recording.ts';
import { call, harOf, source } from '../unit/suites/recorded/recordings.ts';

type Parts<T> = Readonly<Record<string, T>>;
interface Answer {
  readonly $ref?: string;
  readonly headers?: Parts<unknown>;
  readonly content?: Parts<{ readonly example: unknown }>;
}
interface Parameter {
  readonly name: string;
  readonly schema: { readonly enum?: readonly string[]; readonly maximum?: number };
}
interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Parts<{ readonly schema: { readonly required?: readonly string[] } }> };
  readonly responses: Parts<Answer>;
}
interface Document {
  readonly paths: Parts<Parts<Operation>>;
  readonly components: { readonly responses: Parts<Answer>; readonly headers: Parts<{ readonly example: string }> };
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

/** What a mock such as Prism makes of a document: each operation's examples, as entries of a HAR. */
function mocked({ paths, components }: Document, origin: string): object[] {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { responses }]) => ({
      method,
      responses,
      url: origin + path.replace('{id}', 'one_1'),
    })),
  );
  const key = { name: 'X-API-Key', value: 'svc_test_gq09VY3uceWqt4pBMWmGecD1Elv7uXJH' };
  return operations.flatMap(({ method, responses, url }) =>
    // A mock answers with a failure where it is asked to: a 500 it would not be.
    Object.entries(responses).flatMap(([code, given]) => {
      const answer = given.$ref === undefined ? given : components.responses[given.$ref.split('/').at(-1) ?? ''];
      const text = JSON.stringify(answer?.content?.['application/json']?.example);
      const headers = Object.keys(answer?.headers ?? {}).map((name) => ({
        ...{ name, value: components.headers[name]?.example ?? '' },
      }));
      const response = {
        status: Number(code.replace('XX', '00')),
        headers: [{ name: 'Content-Type', value: 'application/json' }, ...headers],
        content: { size: Buffer.byteLength(text), mimeType: 'application/json', text },
      };
      return code === '500' ? [] : [call(url, { method: method.toUpperCase(), headers: [key] }, response)];
    }),
  );
}

test('what a mock answers by the examples breaks no clause about every response', async () => {
  const entries = [
    ...mocked(developer, 'https://developer.example.com'),
    ...mocked(workspace, 'https://workspace.example.com'),
  ];
  const redactor = createRedactor();
  const results = await judgeRecording(readRecording(harOf(...entries), source, redactor), redactor);
  // Each answer of a mock is the same: its trace id and its time are.
  expect(results.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)).toEqual([]);
  expect(results.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(15);
});
