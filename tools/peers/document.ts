import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import type { ApiName } from '../../contract/clause.ts';

/** A mutable part of an OpenAPI document. */
export interface Part {
  [name: string]: unknown;
}

interface Operation extends Part {
  operationId: string;
  summary: string;
  responses: Record<string, Part>;
  parameters?: { name: string; in: string; example?: unknown; schema: Part }[];
  requestBody?: { content: { 'application/json': { schema: Part; example?: Part } } };
}

export interface Document extends Part {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Part>; responses: Record<string, Part> };
}

/** An operation with its place in the document. */
export interface Placed {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

const folder = resolve(import.meta.dirname, '../../docs/openapi');

/** An id that no deployment has. */
export const unknownId = 'unknown-id';

/** Where answers to creates of the plain reference show the id, and which calls use it, as a user would know. */
export const idsOf: Readonly<Record<ApiName, readonly { path: string; field: string; variable: string }[]>> = {
  developer: [{ path: '/api/v1/developer/keys', field: 'data.id', variable: 'keyId' }],
  workspace: ['agent', 'lead', 'booking', 'webhook'].map((kind) => ({
    path: `/v1/${kind}s`,
    field: 'id',
    variable: `${kind}Id`,
  })),
};

/**
 * Whether the target's limited key is refused: the workspace's may only read, the developer API's has only content
 * scopes.
 */
export const isClosedToLimitedKey = (api: ApiName, { method, path, operation }: Placed): boolean =>
  '403' in operation.responses && (api === 'workspace' ? method !== 'GET' : !path.includes('/content/'));

export const operationsOf = ({ paths }: Document): Placed[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

/** A value that every deployment accepts: the first of a list, or one that filters nothing out. */
function exampleOf(name: string, schema: Part): unknown {
  const values = schema.enum as readonly string[] | undefined;
  const given: Readonly<Record<string, unknown>> = {
    id: unknownId,
    campaign_id: 'any',
    min_spend: 1,
    limit: 10,
    days: 7,
    from: '2020-01-01T00:00:00.000Z',
    to: '2040-01-01T00:00:00.000Z',
  };
  return values?.[0] ?? given[name];
}

/** A secret in the form that the reference accepts, of 24 bytes. */
const webhookSecret = `whsec_${Buffer.from('a secret for every bench').toString('base64')}`;

/**
 * The committed document of an API with the additions that each tool's own guide demands: an example for every
 * parameter, and a webhook secret that the deployment accepts. Everything about answers stays unchanged.
 */
export function readDocument(api: ApiName): Document {
  const document = parse(readFileSync(resolve(folder, `${api}-api.yaml`), 'utf8')) as Document;
  for (const { operation } of operationsOf(document)) {
    for (const parameter of operation.parameters ?? []) {
      parameter.example = exampleOf(parameter.name, parameter.schema);
    }
    const example = operation.requestBody?.content['application/json'].example;
    for (const name of Object.keys(example ?? {}).filter((field) => field.endsWith('secret'))) {
      Object.assign(example ?? {}, { [name]: webhookSecret });
    }
  }
  return document;
}

/**
 * The document with 200 instead of 2XX, for tools that do not know ranges, or that take the first answer of an
 * operation for the usual one and sort a range after all failures.
 */
export function readWithoutRanges(api: ApiName): Document {
  const document = readDocument(api);
  for (const { operation } of operationsOf(document)) {
    const { '2XX': success, ...failures } = operation.responses;
    operation.responses = success === undefined ? failures : { 200: success, ...failures };
  }
  return document;
}
