import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiName } from '../../contract/clause.ts';
import { idsOf, isClosedToLimitedKey, operationsOf, type Placed, readWithoutRanges, unknownId } from './document.ts';
import { installNodeTools, nodeTool, versionOf } from './install.ts';
import { readReport, runProcess } from './process.ts';
import { apis, mostMs, type Tool } from './tool.ts';

interface Report {
  readonly run: {
    readonly failures: readonly {
      readonly source?: { readonly name?: string };
      readonly error: { readonly test: string };
    }[];
  };
}

const on = { enabled: true };
const everyAnswer = { contentType: on, jsonBody: on, schemaValidation: on, headersPresent: on };

/** A call of every operation that documents the status, varied so that a correct deployment answers with it. */
const variation = (name: string, status: number, changes: object, more: object = {}): object => ({
  openApiOperation: '*::/*',
  openApiResponse: String(status),
  ...more,
  variations: [{ name, ...changes, tests: { contractTests: [{ statusCode: on, ...everyAnswer }] } }],
});

const security = (api: ApiName, value: string): object =>
  api === 'developer' ? { apiKey: { value, key: 'X-API-Key', in: 'header' } } : { bearer: { token: value } };
const sending = (api: ApiName, value: string): object => ({
  overwrites: [{ overwriteRequestSecurity: security(api, value) }],
});
const ofId = (value: string): object => ({ overwriteRequestPathVariables: [{ key: 'id', value, overwrite: true }] });

const fuzzing = [
  {
    requestBody: [{ requiredFields: on, minLengthFields: on }],
    requestQueryParams: [{ requiredFields: on, minimumNumberFields: on, maximumNumberFields: on }],
  },
];

/**
 * Contract tests of every operation, with a variation for each documented refusal, and ids from the answers to creates.
 */
function configFor(api: ApiName): object {
  const operations = operationsOf(readWithoutRanges(api));
  const nameOf = ({ method, path }: Placed): string => `${method}::${path}`;
  const open = operations.filter((one) => !isClosedToLimitedKey(api, one)).map(nameOf);
  const rank = ({ method }: Placed): number => ['POST', 'GET', 'PATCH', 'DELETE'].indexOf(method);
  return {
    version: 1.0,
    tests: {
      contractTests: [{ openApiOperation: '*::/*', statusSuccess: on, ...everyAnswer }],
      variationTests: [
        variation('no key', 401, sending(api, '')),
        variation('unknown key', 401, sending(api, 'nobody')),
        variation('limited key', 403, sending(api, '{{limitedKey}}'), { excludeForOperations: open }),
        variation('unknown id', 404, { overwrites: [ofId(unknownId)] }),
        variation('wrong value', 400, { fuzzing }),
      ],
    },
    assignVariables: idsOf[api].map(({ path, field, variable }) => ({
      openApiOperation: `POST::${path}`,
      collectionVariables: [{ responseBodyProp: field, name: variable }],
    })),
    overwrites: idsOf[api].map(({ path, variable }) => ({
      openApiOperation: `*::${path}/*`,
      ...ofId(`{{${variable}}}`),
    })),
    globals: {
      stripResponseExamples: true,
      securityOverwrites: security(api, '{{key}}'),
      orderOfOperations: operations.toSorted((a, b) => rank(a) - rank(b)).map(nameOf),
    },
  };
}

async function convert(api: ApiName, folder: string): Promise<void> {
  const [document, config] = [`${api}-api.json`, `portman-${api}.json`];
  writeFileSync(join(folder, document), JSON.stringify(readWithoutRanges(api)));
  writeFileSync(join(folder, config), JSON.stringify(configFor(api), null, 2));
  const { status, output } = await runProcess(
    nodeTool('portman'),
    ['-l', document, '-b', 'http://127.0.0.1', '-c', config, '-o', `${api}.postman.json`, '--no-warn'],
    { cwd: folder, mostMs },
  );
  if (status !== 0) {
    throw new Error(`Cannot convert ${document}: portman ended with ${status}\n${output}`);
  }
}

export const portman: Tool = {
  name: 'Newman with Portman',
  version: `Newman ${versionOf('newman')} with Portman ${versionOf('@apideck/portman')} (npm)`,
  notes: [
    'Portman makes a Postman collection from the document once, and Newman runs it. Every operation has contract tests (success, content type, JSON body, schema, headers) and variations, as its guide shows them (no key, an unknown key, a limited key, an unknown id, fuzzed values for required fields, lengths and ranges).',
    'The document has additional examples, and 200 instead of 2XX, since the tool expects the first answer that is listed. The configuration names the id fields of answers to creates, which a user of the deployment knows, so that ids are passed on; creates come before reads, and deletions last.',
    'A failure is an assertion of the JSON report, by request and test.',
  ],
  command: (api) =>
    `newman run ${api}.postman.json --env-var baseUrl=$ORIGIN --env-var key=$KEY --env-var limitedKey=$LIMITED`,
  async prepare(folder) {
    installNodeTools();
    for (const api of apis) {
      await convert(api, folder);
    }
  },
  async run({ api, origin, key, limitedKey }, folder) {
    const report = join(folder, 'report.json');
    rmSync(report, { force: true });
    const variables = { baseUrl: origin, key, limitedKey };
    const ended = await runProcess(
      nodeTool('newman'),
      [
        ...['run', `${api}.postman.json`, '--reporters', 'json', '--reporter-json-export', report],
        ...Object.entries(variables).flatMap(([name, value]) => ['--env-var', `${name}=${value}`]),
      ],
      { cwd: folder, mostMs },
    );
    const { run } = readReport<Report>(report, { run: { failures: [] } });
    return {
      status: ended.status,
      durationMs: ended.durationMs,
      failures: run.failures.map(({ source, error }) => `${source?.name ?? 'run'}: ${error.test}`),
    };
  },
};
