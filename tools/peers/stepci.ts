import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { ApiName } from '../../contract/clause.ts';
import { limitHeaders } from '../../contract/limits.ts';
import { idsOf, isClosedToLimitedKey, operationsOf, type Placed, readWithoutRanges, unknownId } from './document.ts';
import { installNodeTools, nodeTool, versionOf } from './install.ts';
import { runProcess } from './process.ts';
import { apis, mostMs, type Tool } from './tool.ts';

interface Step {
  readonly id: string;
  readonly name: string;
  readonly http: {
    readonly url: string;
    readonly method: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly check: object;
  };
}

interface Workflow {
  readonly tests: Readonly<Record<string, { readonly name: string; readonly steps: readonly Step[] }>>;
}

const headersShown = Object.fromEntries(limitHeaders.map((name) => [name.toLowerCase(), '/.+/']));
const refused = (status: number): object => ({
  status,
  schema: { $ref: '#/components/schemas/Failure' },
  headers: headersShown,
});
const keyHeader = (api: ApiName, name: string): Record<string, string> =>
  api === 'developer' ? { 'X-API-Key': `\${{env.${name}}}` } : { Authorization: `Bearer \${{env.${name}}}` };

/** A generated step with the key, the missing checks, and the id from an earlier step. */
function completed(api: ApiName, step: Step, { method, path }: Placed): Step {
  const id = idsOf[api].find((one) => path.startsWith(`${one.path}/`));
  const made = method === 'POST' ? idsOf[api].find((one) => one.path === path) : undefined;
  const http = {
    ...step.http,
    url: id === undefined ? step.http.url : path.replace('{id}', `\${{captures.${id.variable}}}`),
    headers: { ...step.http.headers, ...keyHeader(api, 'key') },
    check: { ...step.http.check, status: '/^20/', headers: headersShown },
    ...(made === undefined ? {} : { captures: { [made.variable]: { jsonpath: `$.${made.field}` } } }),
  };
  return { ...step, http };
}

/** The call with a change for which it must be refused. */
function refusals(api: ApiName, step: Step, placed: Placed): Step[] {
  const { headers: _, ...keyless } = step.http;
  const { 'Content-Type': type = 'application/json' } = step.http.headers ?? {};
  const variant = (name: string, status: number, keys: Record<string, string>, url = step.http.url): Step => ({
    id: `${step.id}-${status}`,
    name: `${step.name} (${name})`,
    http: { ...keyless, url, headers: { 'Content-Type': type, ...keys }, check: refused(status) },
  });
  const unknown = placed.path.replace('{id}', unknownId);
  return [
    variant('no key', 401, {}),
    ...(isClosedToLimitedKey(api, placed) ? [variant('limited key', 403, keyHeader(api, 'limitedKey'))] : []),
    ...(placed.path.includes('{id}') ? [variant('unknown id', 404, keyHeader(api, 'key'), unknown)] : []),
  ];
}

/** Sorts related steps so that creates come first and deletions last. */
const rank = ({ http }: Step): number => ['POST', 'GET', 'PATCH', 'DELETE'].indexOf(http.method);

/** The generated tests, completed as the tool's guide says, with steps for refusals, which it does not generate. */
function adapted(api: ApiName, generated: Workflow): object {
  const operations = new Map(operationsOf(readWithoutRanges(api)).map((one) => [one.operation.operationId, one]));
  const stepsOf = (steps: readonly Step[]): Step[] =>
    steps
      .toSorted((a, b) => rank(a) - rank(b))
      .flatMap((step) => {
        const placed = operations.get(step.id);
        return placed === undefined ? [] : [completed(api, step, placed), ...refusals(api, step, placed)];
      });
  return {
    ...generated,
    config: { continueOnFail: true, http: { baseURL: '${{env.origin}}' } },
    tests: Object.fromEntries(
      Object.entries(generated.tests).map(([tag, test]) => [tag, { ...test, steps: stepsOf(test.steps) }]),
    ),
  };
}

/** In the output, `● Test › Step` names a failed step, and `✕ Status Code` below it the failed check. */
function failuresIn(output: string): string[] {
  let step = '';
  return output.split('\n').flatMap((line) => {
    const [, kind, text = ''] = /^(●|⚠︎|✕) (.*)$/.exec(line) ?? [];
    if (kind === '●') {
      step = text;
    }
    return kind === '✕' ? [`${step}: ${text}`] : kind === '⚠︎' ? [`${text}: not run`] : [];
  });
}

export const stepci: Tool = {
  name: 'Step CI',
  version: `Step CI ${versionOf('stepci')} (npm)`,
  notes: [
    'It generates one step for each operation of the document, with the status and the schema of the first answer that is listed. As its guide says, the document has additional examples, and 200 instead of 2XX; the workflow has the key, ids captured from answers to creates, and every 20x instead of 200.',
    'It generates no steps for refusals. A script adds one for each documented 401, 403 and 404 that can be caused, and the limit headers to every step, as a user would by hand.',
    'A failure is a check of a step, from its console output: it writes no report.',
  ],
  command: (api) => `stepci run ${api}.yml --env origin=$ORIGIN key=$KEY limitedKey=$LIMITED`,
  async prepare(folder) {
    installNodeTools();
    for (const api of apis) {
      const [document, workflow] = [`${api}-api.json`, join(folder, `${api}.yml`)];
      writeFileSync(join(folder, document), JSON.stringify(readWithoutRanges(api)));
      await runProcess(nodeTool('stepci'), ['generate', document, workflow], { cwd: folder, mostMs });
      writeFileSync(workflow, JSON.stringify(adapted(api, parse(readFileSync(workflow, 'utf8')) as Workflow)));
    }
  },
  async run({ api, origin, key, limitedKey }, folder) {
    const variables = [`origin=${origin}`, `key=${key}`, `limitedKey=${limitedKey}`];
    const ended = await runProcess(
      nodeTool('stepci'),
      ['run', `${api}.yml`, ...variables.flatMap((one) => ['-e', one])],
      {
        cwd: folder,
        mostMs,
      },
    );
    return { status: ended.status, durationMs: ended.durationMs, failures: failuresIn(ended.output) };
  },
};
