import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { createRedactor } from '../../common/redact.ts';
import { developerEndpoints } from '../../contract/developer-endpoints.ts';
import { workspaceEndpoints } from '../../contract/workspace-endpoints.ts';
import { judgeRecording } from '../../suites/recorded/judge-recording.ts';
import { readRecording } from '../../suites/recorded/recording.ts';
import type { Part } from '../../tools/openapi/common.ts';
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

/** What a mock such as Prism makes of a document: each operation's examples, as entries of a HAR. */
function mocked(document: Part, origin: string): object[] {
  const { paths, components } = document as { paths: Parts<Parts<Operation>>; components: Parts<Parts<Answer>> };
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { responses }]) =>
      // A mock answers with a failure where it is asked to: a 500 it would not be.
      Object.entries(responses)
        .filter(([code]) => code !== '500')
        .map(([code, given]) => {
          const answer = given.$ref === undefined ? given : components.responses?.[given.$ref.split('/').at(-1) ?? ''];
          const text = JSON.stringify(answer?.content?.['application/json']?.example);
          const headers = Object.keys(answer?.headers ?? {}).map((name) => ({
            name,
            value: (components.headers?.[name] as { example?: string } | undefined)?.example ?? '',
          }));
          return {
            startedDateTime: '2026-01-31T08:00:00.000Z',
            time: 5,
            request: {
              method: method.toUpperCase(),
              url: `${origin}${path.replace('{id}', 'one_1')}`,
              headers: [{ name: 'X-API-Key', value: 'svc_test_gq09VY3uceWqt4pBMWmGecD1Elv7uXJH' }],
            },
            response: {
              status: Number(code.replace('XX', '00')),
              headers: [{ name: 'Content-Type', value: 'application/json' }, ...headers],
              content: { size: Buffer.byteLength(text), mimeType: 'application/json', text },
            },
          };
        }),
    ),
  );
}

type Parts<T> = Readonly<Record<string, T>>;
interface Answer {
  readonly $ref?: string;
  readonly headers?: Parts<unknown>;
  readonly content?: Parts<{ readonly example: unknown }>;
}
interface Operation {
  readonly operationId: string;
  readonly responses: Parts<Answer>;
}

test('what a mock answers by the examples breaks no clause about every response', async () => {
  const entries = [
    ...mocked(developerDocument, 'https://developer.example.com'),
    ...mocked(workspaceDocument, 'https://workspace.example.com'),
  ];
  const har = JSON.stringify({ log: { version: '1.2', creator: { name: 'a mock', version: '1' }, entries } });
  const redactor = createRedactor();
  const recording = readRecording(har, { name: 'mock.har', folder: '.', named: { given: [], settings: {} } }, redactor);
  const results = await judgeRecording(recording, redactor);
  // Each answer of a mock is the same: its trace id and its time are.
  expect(results.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)).toEqual([]);
  expect(results.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(15);
});

test('operations have names that people would write', () => {
  const names = [developerDocument, workspaceDocument].flatMap(({ paths }) =>
    Object.values(paths as Parts<Parts<Operation>>).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    ),
  );
  expect(names.filter((name) => !/^[a-z]+([A-Z][a-z]+)+$/.test(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});
