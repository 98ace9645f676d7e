import { clauseOf } from '../../contract/clauses.ts';
import type { Endpoint } from '../../contract/endpoint.ts';
import { invalidApiKey, workspaceStatuses } from '../../contract/errors.ts';
import { eventKinds } from '../../contract/events.ts';
import { workspaceEndpoints } from '../../contract/workspace-endpoints.ts';
import { fillBody } from '../../settings/bodies-file.ts';
import { likelyBodies } from '../../suites/records/likely-bodies.ts';
import type { Kind } from '../../suites/workspace/kinds.ts';
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
} from './common.ts';

const meanings: Readonly<Record<number, string>> = {
  400: 'Bad request: parameters are wrong',
  401: 'Unauthorized: invalid, revoked or missing API key',
  403: 'Forbidden: insufficient permissions',
  404: 'Not found',
  429: 'Rate limited',
  500: 'Internal server error',
};
const failures = workspaceStatuses.filter((status) => status >= 400);
const isRefusal = (status: number, { body, path }: Endpoint): boolean =>
  status === 400 ? body !== undefined : status === 404 ? path.includes(':id') : true;
const kindOf = ({ path }: Endpoint): Kind => path.split('/')[2] as Kind;
const title = (kind: string): string => kind.charAt(0).toUpperCase() + kind.slice(1);

/** A plausible body, with the words of BODIES filled in. */
const example = ({ id, method }: Endpoint): unknown =>
  method === 'PATCH' ? { name: 'another name' } : fillBody(likelyBodies[id]?.[0], exampleWords);

const requestBody = (endpoint: Endpoint): Part =>
  endpoint.body === undefined
    ? {}
    : {
        requestBody: {
          required: true,
          description: 'The document does not show the body; the example is a plausible one.',
          content: { 'application/json': { schema: { type: 'object' }, example: example(endpoint) } },
        },
      };

/** A plausible success: a record of the kind, or a list of one. */
function successExample(endpoint: Endpoint): Part {
  const kind = kindOf(endpoint);
  const record = { id: `${kind.replace(/s$/, '')}_1`, created_at: '2026-01-31T08:00:00Z' };
  return endpoint.method === 'GET' && !endpoint.path.includes(':id') ? { data: [record] } : record;
}

const success = (description: string, endpoint: Endpoint): Part =>
  jsonResponse(
    description,
    { description: 'The shape of a success is not shown; the example is a plausible one.' },
    successExample(endpoint),
  );

const codes: Readonly<Record<number, string>> = {
  400: 'bad_request',
  401: invalidApiKey,
  403: 'forbidden',
  404: 'not_found',
  429: 'rate_limited',
  500: 'internal_error',
};

const operation = (endpoint: Endpoint): Part => ({
  operationId: operationId(endpoint),
  summary: clauseOf(endpoint.clause).title,
  tags: [title(kindOf(endpoint))],
  ...parametersOf(endpoint),
  ...requestBody(endpoint),
  responses: {
    200: success('Success', endpoint),
    ...(endpoint.method === 'POST' ? { 201: success('Created', endpoint) } : {}),
    ...failureRefs(failures.filter((status) => isRefusal(status, endpoint))),
  },
});

const webhook = (kind: string): Part => ({
  post: {
    operationId: `on${kind.split('.').map(title).join('')}`,
    summary: `The event ${kind}`,
    description:
      'Signed with HMAC-SHA256 using the webhook secret. Payload, signature header and signed content are not shown.',
    security: [],
    requestBody: { content: { 'application/json': { schema: {} } } },
    responses: { '2XX': { description: 'The receiver took it' }, '4XX': { description: 'The receiver refused it' } },
  },
});

/** The workspace API as an OpenAPI 3.1 document. */
export const workspaceDocument: Part = {
  ...document(
    'Workspace API',
    'Bearer-authenticated agents, leads, bookings and webhooks. What the document does not show stays open here.',
    'http://127.0.0.1:4011',
  ),
  tags: ['agents', 'leads', 'bookings', 'webhooks'].map((kind) => ({
    name: title(kind),
    description: `The ${kind} of the workspace`,
  })),
  security: [{ bearer: [] }],
  paths: pathsOf(workspaceEndpoints, operation),
  webhooks: Object.fromEntries(eventKinds.map((kind) => [kind, webhook(kind)])),
  components: {
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'A workspace key' } },
    headers: headerComponents,
    schemas: {
      Failure: {
        type: 'object',
        required: ['error'],
        properties: {
          error: {
            type: 'object',
            required: ['code', 'message', 'status'],
            properties: {
              code: { type: 'string', minLength: 1 },
              message: { type: 'string' },
              status: { type: 'integer' },
            },
          },
        },
      },
    },
    responses: failureComponents(
      failures.map((status) => [status, meanings[status] ?? '']),
      (status) => ({ error: { code: codes[status], message: meanings[status], status } }),
    ),
  },
};
