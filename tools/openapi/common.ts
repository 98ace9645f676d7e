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

/** What people would call an operation, by its endpoint's clause: generated clients have functions of these names. */
const operationIds: Readonly<Record<string, string>> = {
  'developer.ads.campaigns': 'listCampaigns',
  'developer.ads.health-score': 'getHealthScore',
  'developer.ads.keywords': 'listKeywords',
  'developer.ads.audits-create': 'createAudit',
  'developer.ads.audits-list': 'listAudits',
  'developer.investor.pipeline': 'getPipeline',
  'developer.investor.readiness': 'getReadiness',
  'developer.investor.data-room': 'getDataRoom',
  'developer.investor.updates-list': 'listUpdates',
  'developer.investor.updates-create': 'createUpdate',
  'developer.scheduling.bookings': 'exportBookings',
  'developer.scheduling.leads': 'exportLeads',
  'developer.inbox.draft': 'draftEmail',
  'developer.inbox.categorize': 'categorizeEmail',
  'developer.inbox.skills': 'listSkills',
  'developer.inbox.skills-learn': 'learnSkill',
  'developer.routing.me': 'getMe',
  'developer.routing.me-subscriptions': 'listSubscriptions',
  'developer.content.generate': 'generateContent',
  'developer.content.posts': 'listPosts',
  'developer.content.review': 'reviewContent',
  'developer.sandbox.seed': 'seedSandbox',
  'developer.sandbox.state': 'getSandboxSeed',
  'developer.keys.list': 'listKeys',
  'developer.keys.create': 'createKey',
  'developer.keys.delete': 'deleteKey',
  'developer.keys.rotate': 'rotateKey',
  'developer.keys.usage': 'getKeyUsage',
};

/** `listCampaigns`, `cancelBooking`. */
export function operationId({ clause }: Endpoint): string {
  const [, area = '', action = ''] = clause.split('.');
  const noun = `${area.charAt(0).toUpperCase()}${area.slice(1)}`;
  return operationIds[clause] ?? `${action}${action === 'list' ? noun : noun.replace(/s$/, '')}`;
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

/** Plausible values of the three headers. */
const headerExamples = { 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': '59', 'X-RateLimit-Reset': '42' } as const;

/** Components for the three headers that every response carries; their format is not shown. */
export const headerComponents: Part = Object.fromEntries(
  limitHeaders.map((name) => [
    name,
    { description: 'Unit and format are not shown.', schema: { type: 'string' }, example: headerExamples[name] },
  ]),
);

const limitHeaderRefs: Part = Object.fromEntries(limitHeaders.map((name) => [name, ref('headers', name)]));

/** A response with a JSON body and the limit headers. A mock answers with the example. */
export const jsonResponse = (description: string, schema: Part, example: unknown): Part => ({
  description,
  headers: limitHeaderRefs,
  content: { 'application/json': { schema, example } },
});

/** A component for each status of a failure, with its description, and the body by which `exampleOf` shows it. */
export const failureComponents = (
  said: readonly (readonly [status: number, says: string])[],
  exampleOf: (status: number) => unknown,
): Part =>
  Object.fromEntries(
    said.map(([status, says]) => [`Error${status}`, jsonResponse(says, ref('schemas', 'Failure'), exampleOf(status))]),
  );

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
