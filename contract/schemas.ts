/** A JSON Schema as plain data, which ajv can compile and k6 can pass on. */
export type Schema = { readonly [keyword: string]: unknown };

const string: Schema = { type: 'string' };
const number: Schema = { type: 'number' };
const record = (properties: Record<string, Schema>, required = Object.keys(properties)): Schema => ({
  type: 'object',
  required,
  properties,
});

/** The response envelope. Further fields are fine everywhere, and what is in `data` and `error` stays open. */
export const envelope: Schema = record(
  {
    success: { type: 'boolean' },
    data: {},
    context: { type: ['object', 'null'], additionalProperties: true },
    error: { type: ['object', 'null'], additionalProperties: true },
    meta: record({ trace_id: { type: 'string', format: 'uuid' }, timestamp: { type: 'string', format: 'date-time' } }),
  },
  ['success', 'context', 'error', 'meta'],
);

const campaign: Schema = record({ id: string, name: string, spend_last_30d: number, roas: number });

const healthScore: Schema = record({
  score: number,
  grade: string,
  categories: {
    type: 'object',
    required: ['structure', 'bidding'],
    additionalProperties: number,
    properties: { structure: number, bidding: number },
  },
});

const deal: Schema = record({ id: string, company: string, stage: string, amount: number });

export const seedResult: Schema = record({
  seeded: { type: 'boolean' },
  products: { type: 'array', items: string },
  resources_created: { type: 'integer' },
});

/** The body of key creation. */
export const keyRequest: Schema = record({
  name: string,
  environment: { type: 'string', enum: ['live', 'sandbox'] },
  scopes: {
    type: 'array',
    items: { type: 'string', pattern: '^(ads|investor|scheduling|inbox|routing|content):(read|write)$' },
  },
});

/** The documented shapes of `data` on success, by the `schema` of endpoints. */
export const dataSchemas: Readonly<Record<'campaigns' | 'healthScore' | 'pipeline' | 'seedResult', Schema>> = {
  campaigns: record({ campaigns: { type: 'array', items: campaign } }),
  healthScore,
  pipeline: record({ deals: { type: 'array', items: deal } }),
  seedResult,
};
