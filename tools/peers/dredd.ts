import { rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ApiName } from '../../contract/clause.ts';
import {
  type Document,
  idsOf,
  isClosedToLimitedKey,
  operationsOf,
  type Part,
  readWithoutRanges,
  unknownId,
} from './document.ts';
import { installNodeTools, nodeTool, versionOf } from './install.ts';
import { readReport, runProcess } from './process.ts';
import type { Target } from './target.ts';
import { apis, mostMs, type Tool } from './tool.ts';

const hooks = resolve(import.meta.dirname, 'hooks/dredd.cjs');
const keyHeaders = {
  developer: { name: 'X-API-Key', prefix: '' },
  workspace: { name: 'Authorization', prefix: 'Bearer ' },
} as const satisfies Record<ApiName, object>;

/** A part of a document with its references resolved. */
function resolved(part: unknown, document: Document): unknown {
  if (Array.isArray(part)) {
    return part.map((one) => resolved(one, document));
  }
  if (typeof part !== 'object' || part === null) {
    return part;
  }
  const { $ref } = part as { $ref?: string };
  if ($ref !== undefined) {
    const names = $ref.split('/').slice(1);
    return resolved(
      names.reduce<unknown>((inner, name) => (inner as Part)[name], document),
      document,
    );
  }
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, resolved(value, document)]));
}

/** The body's schema of every documented answer, by `METHOD path status`. */
function schemasOf(document: Document): Record<string, unknown> {
  const answers = operationsOf(document).flatMap(({ method, path, operation }) =>
    Object.entries(resolved(operation.responses, document) as Record<string, Part>).map(([status, response]) => {
      const content = response.content as { 'application/json': { schema: Part } };
      const schema = { $schema: 'http://json-schema.org/draft-07/schema#', ...content['application/json'].schema };
      return [`${method} ${path} ${status}`, schema];
    }),
  );
  return Object.fromEntries(answers) as Record<string, unknown>;
}

/** The document as OpenAPI 3.0, the newest version that Dredd's parser knows. */
function asVersion30(api: ApiName): Part {
  const { webhooks: _, tags: __, ...document } = readWithoutRanges(api);
  return { ...document, openapi: '3.0.3', info: { title: api, version: '1' } };
}

/** The file that the hooks read; it includes the run's limited key. */
function planFor({ api, limitedKey }: Target): object {
  const document = readWithoutRanges(api);
  return {
    keyHeader: keyHeaders[api],
    limitedKey,
    ids: idsOf[api],
    unknownId,
    schemas: schemasOf(document),
    closedToLimitedKey: operationsOf(document)
      .filter((one) => isClosedToLimitedKey(api, one))
      .map(({ method, path }) => `${method} ${path}`),
  };
}

const header = (api: ApiName, key: string): string => `${keyHeaders[api].name}: ${keyHeaders[api].prefix}${key}`;

export const dredd: Tool = {
  name: 'Dredd',
  version: `Dredd ${versionOf('dredd')} (npm)`,
  notes: [
    'Made for API Blueprint and OpenAPI 2; its guide calls OpenAPI 3 experimental. For the unchanged document it prints "Version \'3.1.1\' is not fully supported" and "\'Responses Object\' response status code ranges are unsupported", and ends with "Required URI parameter \'id\' has no example or default value". So it gets the document as 3.0.3, without webhooks, with 200 instead of 2XX, and with examples.',
    'Its parser leaves out allOf. Hooks, its documented extension, set the body schema of every answer, pass on ids from answers to creates, and cause the documented 400, 401, 403 and 404, which are otherwise skipped. 429 and 500 are left out.',
    'A failure is a transaction with the parts of the answer that do not match.',
  ],
  command: (api) => `dredd ${api}-api.json $ORIGIN --sorted --hookfiles=hooks/dredd.cjs -h "${header(api, '$KEY')}"`,
  prepare(folder) {
    installNodeTools();
    for (const api of apis) {
      writeFileSync(join(folder, `${api}-api.json`), JSON.stringify(asVersion30(api)));
    }
    return Promise.resolve();
  },
  async run(target, folder) {
    const [plan, report] = [join(folder, 'plan.json'), join(folder, 'report.json')];
    rmSync(report, { force: true });
    writeFileSync(plan, JSON.stringify(planFor(target)));
    const { api, origin, key } = target;
    const ended = await runProcess(
      nodeTool('dredd'),
      [`${api}-api.json`, origin, '--sorted', `--hookfiles=${hooks}`, '-h', header(api, key), '--loglevel=error'],
      { cwd: folder, env: { DREDD_PLAN: plan, DREDD_REPORT: report }, mostMs },
    );
    return { status: ended.status, durationMs: ended.durationMs, failures: readReport<string[]>(report, []) };
  },
};
