import { clauseOf } from '../../contract/clauses.ts';
import { developerEndpoints } from '../../contract/developer-endpoints.ts';
import type { BodyField, Endpoint } from '../../contract/endpoint.ts';
import { developerErrorCodes } from '../../contract/errors.ts';
import { dataSchemas, envelope, keyRequest, type Schema } from '../../contract/schemas.ts';
import { modules } from '../../contract/scopes.ts';
import { fillBody } from '../../settings/bodies-file.ts';
import { likelyBodies } from '../../suites/records/likely-bodies.ts';
import {
  document,
  exampleWords,
  failureComponents,
  failureRefs,
  headerComponents,
  jsonResponse,
  operationId,
  type Part,
  parametersOf,
  pathsOf,
  ref,
} from './common.ts';

const meanings: Readonly<Record<number, string>> = {
  400: 'The request failed validation',
  401: 'The API key is missing or invalid',
  403: 'The key lacks a scope of this module',
  404: 'The resource was not found',
  429: 'Too many requests; see the X-RateLimit-* headers',
  500: 'Server error; report meta.trace_id',
};

const fieldTypes: Readonly<Record<BodyField['type'], Schema>> = {
  string: { type: 'string' },
  integer: { type: 'integer' },
  array: { type: 'array' },
  open: {},
};

/** The schema of a body, as far as the document shows it. */
function bodySchema(endpoint: Endpoint): Schema {
  if (endpoint.id === 'POST /api/v1/developer/keys') {
    return keyRequest;
  }
  const fields = endpoint.body ?? [];
  return {
    type: 'object',
    ...(fields.length === 0 ? {} : { required: fields.filter(({ required }) => required).map(({ name }) => name) }),
    ...(fields.length === 0
      ? {}
      : { properties: Object.fromEntries(fields.map(({ name, type }) => [name, fieldTypes[type]])) }),
  };
}

function requestBody(endpoint: Endpoint): Part {
  if (endpoint.body === undefined) {
    return {};
  }
  const shown = endpoint.body !== null;
  const example =
    endpoint.id === 'POST /api/v1/developer/keys'
      ? { name: 'first key', environment: 'sandbox', scopes: ['ads:read'] }
      : fillBody(likelyBodies[endpoint.id]?.[0], exampleWords);
  return {
    requestBody: {
      required: true,
      ...(shown ? {} : { description: 'The document does not show the body; the example is a plausible one.' }),
      content: { 'application/json': { schema: bodySchema(endpoint), example } },
    },
  };
}

const dataOf = ({ schema }: Endpoint): Part =>
  schema === undefined
    ? { type: 'object', description: 'Not shown.', additionalProperties: true }
    : ref('schemas', schema);

const isRefusal = (status: string, { scope, body, path, query }: Endpoint): boolean =>
  ({ 400: body !== undefined || query.length > 0, 403: scope !== null, 404: path.includes(':id') })[status] ?? true;

/** Plausible payloads of the calls whose payload the document shows. */
const dataExamples: Readonly<Record<keyof typeof dataSchemas, Part>> = {
  campaigns: { campaigns: [{ id: 'cmp_1', name: 'Spring', spend_last_30d: 1250.5, roas: 3.2 }] },
  healthScore: { score: 78, grade: 'B', categories: { structure: 82, bidding: 74 } },
  pipeline: { deals: [{ id: 'deal_1', company: 'Acme', stage: 'diligence', amount: 250_000 }] },
  seedResult: { seeded: true, products: ['ads', 'investor'], resources_created: 12 },
};

const meta = { trace_id: '3f0c8e1a-5b7d-4c2e-9a4f-1d2e3c4b5a69', timestamp: '2026-01-31T08:00:00.000Z' };

const successExample = ({ schema }: Endpoint): Part => ({
  success: true,
  data: schema === undefined ? {} : dataExamples[schema],
  context: null,
  error: null,
  meta,
});

const failureExample = (status: number): Part => ({
  success: false,
  data: null,
  context: null,
  error: { code: developerErrorCodes[status], message: meanings[status] },
  meta,
});

function operation(endpoint: Endpoint): Part {
  const { scope, clause } = endpoint;
  const module = modules.find(({ prefix }) => prefix === scope);
  const area = clause.split('.')[1] ?? '';
  const failures = Object.keys(developerErrorCodes).filter((status) => isRefusal(status, endpoint));
  return {
    operationId: operationId(endpoint),
    summary: clauseOf(clause).title,
    tags: [module?.title ?? (area === 'keys' ? 'API keys' : 'Sandbox')],
    ...(scope === null ? {} : { description: `Needs ${scope}:read or ${scope}:write; which of the two is not shown.` }),
    ...parametersOf(endpoint),
    ...requestBody(endpoint),
    responses: {
      '2XX': jsonResponse(
        'Success',
        {
          allOf: [
            ref('schemas', 'Envelope'),
            { type: 'object', required: ['data'], properties: { data: dataOf(endpoint) } },
          ],
        },
        successExample(endpoint),
      ),
      ...failureRefs(failures),
    },
  };
}

/** The developer API as an OpenAPI 3.1 document. */
export const developerDocument: Part = {
  ...document(
    'Developer API',
    'Key-authenticated product modules, a sandbox and API key management. What the document does not show stays open here.',
    'http://127.0.0.1:4010',
  ),
  tags: [
    ...modules.map(({ title, prefix }) => ({ name: title, description: `Scopes ${prefix}:read and ${prefix}:write` })),
    { name: 'Sandbox', description: 'An isolated data set for sandbox keys' },
    { name: 'API keys', description: 'Create, list, delete, rotate and inspect keys' },
  ],
  security: [{ header: [] }, { query: [] }],
  paths: pathsOf(developerEndpoints, operation),
  components: {
    securitySchemes: {
      header: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The recommended mode' },
      query: { type: 'apiKey', in: 'query', name: 'api_key', description: 'Where headers are restricted' },
    },
    headers: headerComponents,
    schemas: {
      Envelope: envelope,
      Failure: {
        allOf: [
          ref('schemas', 'Envelope'),
          {
            type: 'object',
            properties: {
              success: { const: false },
              error: {
                type: 'object',
                description: 'It carries the code; under which name is not shown.',
                additionalProperties: true,
              },
            },
          },
        ],
      },
      ...dataSchemas,
    },
    responses: failureComponents(
      Object.entries(developerErrorCodes).map(([status, code]) => [
        Number(status),
        `${code}: ${meanings[Number(status)]}`,
      ]),
      failureExample,
    ),
  },
};
