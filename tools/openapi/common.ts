import type { Endpoint, QueryParameter } from '../../contract/endpoint.ts';
import { limitHeaders } from '../../contract/limits.ts';
import type { Schema } from '../../contract/schemas.ts';

/** A part of an OpenAPI document, as plain data. */
export type Part = { readonly [name: string]: unknown };

/** What the words of likely bodies stand for in examples. */
export const exampleWords = {
  run: 'example',
  email: 'zoe@example.com',
  phone: '+12015550101',
  webhook_url: 'https://example.com/hooks/1',
  webhook_secret: 'whsec_example',
  agent_id: 'agt_1',
  lead_id: 'lead_1',
  slot_start: '2030-01-07T09:00:00Z',
  slot_end: '2030-01-07T09:30:00Z',
} as const;

export const ref = (kind: string, name: string): Part => ({ $ref: `#/components/${kind}/${name}` });

/** `getApiV1AdsCampaigns`: unique, and readable in generated clients. */
export function operationId({ method, path }: Endpoint): string {
  const words = path
    .replace(':id', 'by-id')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** OpenAPI writes path parameters in braces. */
const templateOf = ({ path }: Endpoint): string => path.replace(':id', '{id}');

const types: Readonly<Record<QueryParameter['type'], Schema>> = {
  string: { type: 'string' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  timestamp: { type: 'string', format: 'date-time' },
};

/** The parameters that a document names for a call. */
export function parametersOf({ path, query }: Endpoint): Part {
  const inPath = path.includes(':id') ? [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }] : [];
  const inQuery = query.map(({ name, type, values, maximum }) => ({
    name,
    in: 'query',
    required: false,
    schema: {
      ...types[type],
      ...(values === undefined ? {} : { enum: values }),
      ...(maximum === undefined ? {} : { minimum: 1, maximum }),
    },
  }));
  const parameters = [...inPath, ...inQuery];
  return parameters.length === 0 ? {} : { parameters };
}

/** Components for the three headers that every response carries; their format is not shown. */
export const headerComponents: Part = Object.fromEntries(
  limitHeaders.map((name) => [name, { description: 'Unit and format are not shown.', schema: { type: 'string' } }]),
);

const limitHeaderRefs: Part = Object.fromEntries(limitHeaders.map((name) => [name, ref('headers', name)]));

/** A response with a JSON body and the limit headers. */
export const jsonResponse = (description: string, schema: Part): Part => ({
  description,
  headers: limitHeaderRefs,
  content: { 'application/json': { schema } },
});

/** A component for each status of a failure, with its description. */
export const failureComponents = (said: readonly (readonly [status: number | string, says: string])[]): Part =>
  Object.fromEntries(said.map(([status, says]) => [`Error${status}`, jsonResponse(says, ref('schemas', 'Failure'))]));

/** References to the components of these statuses. */
export const failureRefs = (statuses: readonly (number | string)[]): Part =>
  Object.fromEntries(statuses.map((status) => [status, ref('responses', `Error${status}`)]));

/** The path items of operations, in the order of the endpoints. */
export function pathsOf(endpoints: readonly Endpoint[], operation: (endpoint: Endpoint) => Part): Part {
  const byPath = Map.groupBy(endpoints, templateOf);
  return Object.fromEntries(
    [...byPath].map(([path, group]) => [
      path,
      Object.fromEntries(group.map((endpoint) => [endpoint.method.toLowerCase(), operation(endpoint)])),
    ]),
  );
}

/** The parts that both documents share. The server is a variable, since the document is for all deployments. */
export const document = (title: string, description: string, variable: string): Part => ({
  openapi: '3.1.1',
  info: { title, version: '1', description, license: { name: 'MIT', identifier: 'MIT' } },
  servers: [{ url: '{origin}', variables: { origin: { default: variable, description: 'Origin of the deployment' } } }],
});
