import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiName } from '../../contract/clause.ts';
import { type Document, idsOf, operationsOf, readDocument } from './document.ts';
import { installPythonTools, pythonTool, versionOf } from './install.ts';
import { readReport, runProcess } from './process.ts';
import { callsASecond, type Target } from './target.ts';
import { apis, mostMs, type Tool } from './tool.ts';

interface Report {
  readonly failures: readonly { readonly title: string; readonly operations: readonly string[] }[];
}

/**
 * Links from each answer to a create to the calls that use its id, as the tool's warning about missing test data
 * demands.
 */
function withLinks(api: ApiName): Document {
  const document = readDocument(api);
  const operations = operationsOf(document);
  for (const { path, field } of idsOf[api]) {
    const taking = operations.filter((one) => one.path.startsWith(`${path}/{id}`));
    const creating = operations.find((one) => one.path === path && one.method === 'POST');
    const links = taking.map(({ operation: { operationId } }) => [
      operationId,
      { operationId, parameters: { id: `$response.body#/${field.replace('.', '/')}` } },
    ]);
    for (const [status, response] of Object.entries(creating?.operation.responses ?? {})) {
      if (status.startsWith('2')) {
        response.links = Object.fromEntries(links);
      }
    }
  }
  return document;
}

const header = ({ api, key }: Pick<Target, 'api' | 'key'>): string =>
  api === 'developer' ? `X-API-Key: ${key}` : `Authorization: Bearer ${key}`;

/**
 * Settings for the same requests in every run, so that runs can be compared however busy the machine is, and those that
 * the guide to benchmarking advises: to continue after failures, not to minimise them, and to leave out no operation.
 */
const optionsFor = (api: ApiName): readonly string[] => [
  '--generation-deterministic',
  '--continue-on-failure',
  '--no-shrink',
  '--suppress-health-check=all',
  '--exclude-checks=unsupported_method',
  `--rate-limit=${callsASecond[api]}/s`,
  '--report=json',
];

export const schemathesis: Tool = {
  name: 'Schemathesis',
  version: `Schemathesis ${versionOf('schemathesis')} (PyPI)`,
  notes: [
    'Property-based: made to find crashes, and answers that break the schema, with many generated requests. It runs all of its phases, with its usual number of examples, the same in every run, at a rate within the limits.',
    'It runs all of its checks except one, which demands 405 for undeclared methods: the documents say nothing about these.',
    "The document has additional OpenAPI links from each answer to a create to the calls that use the id, as the tool's own warning advises.",
    'A failure is a pair of failure and operation of its JSON report.',
  ],
  command: (api) =>
    `schemathesis run ${api}-api.json --url $ORIGIN -H "${header({ api, key: '$KEY' })}" ${optionsFor(api).join(' ')}`,
  prepare(folder) {
    installPythonTools();
    for (const api of apis) {
      writeFileSync(join(folder, `${api}-api.json`), JSON.stringify(withLinks(api)));
    }
    return Promise.resolve();
  },
  async run(target, folder) {
    const report = join(folder, 'report.json');
    rmSync(report, { force: true });
    const document = join(folder, `${target.api}-api.json`);
    const ended = await runProcess(
      pythonTool('schemathesis'),
      [
        ...['run', document, '--url', target.origin, '-H', header(target), '--report-json-path', report],
        ...optionsFor(target.api),
      ],
      { cwd: folder, mostMs },
    );
    const { failures } = readReport<Report>(report, { failures: [] });
    return {
      status: ended.status,
      durationMs: ended.durationMs,
      failures: failures.flatMap(({ title, operations }) => operations.map((operation) => `${operation}: ${title}`)),
    };
  },
};
