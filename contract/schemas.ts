/** A JSON Schema as plain data, which ajv can compile and k6 can pass on. */
export type Schema = { readonly [keyword: string]: unknown };

const string: Schema = { type: 'string' };
const number: Schema = { type: 'number' };
const record = (properties: Record<string, Schema>): Schema => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});

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

/** The documented shapes of `data` on success, by the `schema` of endpoints. */
export const dataSchemas: Readonly<Record<'campaigns' | 'healthScore' | 'pipeline' | 'seedResult', Schema>> = {
  campaigns: record({ campaigns: { type: 'array', items: campaign } }),
  healthScore,
  pipeline: record({ deals: { type: 'array', items: deal } }),
  seedResult,
};
