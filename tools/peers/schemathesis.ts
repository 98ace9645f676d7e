import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Api } from '../../contract/clause.ts';
import { type Document, idsOf, operationsOf, readDocument } from './document.ts';
import { installPythonTools, pythonTool, versionOf } from './install.ts';
import { readReport, runProcess } from './process.ts';
import { callsASecond, type Target } from './target.ts';
import { apis, mostMs, type Tool } from './tool.ts';

interface Report {
  readonly failures: readonly { readonly title: string; readonly operations: readonly string[] }[];
}

/** Links from each create answer to the calls that take its id: what the tool's warning on missing test data asks for. */
function withLinks(api: Api): Document {
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
 * The same requests in every run, so that a run can be held against another however busy the machine is; and what its guide
 * to benchmarking advises: to go on after failures, to spend nothing on making them smaller, to leave no operation out.
 */
const optionsFor = (api: Api): readonly string[] => [
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
    'Property-based: made to find crashes and answers that break the schema, by many generated requests. All of its phases, with its usual number of examples, the same in every run, at a rate within the limits.',
    'All of its checks but one: what an undeclared method gets is not documented, and it asks for 405 of every path.',
    'The document got OpenAPI links from each create answer to the calls that take the id, as its own warning advises.',
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
