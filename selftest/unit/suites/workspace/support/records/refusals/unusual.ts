import { expect } from 'vitest';

/** What a deployment says about a body: its error object, or the message in it; null if it accepts the body. */
export type Refusals = (body: Record<string, unknown>) => object | string | null;
export type RefusalCase = readonly [framework: string, Refusals, taken: object];

/** Refusals that name a wrapper, or name fields in unusual ways. */
export const unusualRefusals: readonly RefusalCase[] = [
  [
    'Rails, of a body without its one field',
    ({ lead }) => (lead === undefined ? 'param is missing or the value is empty or invalid: lead' : null),
    { lead: { name: expect.any(String) } },
  ],
  [
    'JSON:API',
    ({ data }) => {
      const { type, attributes } = Object(data) as { type?: unknown; attributes?: unknown };
      return data === undefined
        ? "Missing `data` Member at document's top level."
        : type !== 'leads'
          ? { detail: 'type must be "leads"', source: { pointer: '/data/type' } }
          : attributes === undefined
            ? { detail: 'Missing `attributes` member', source: { pointer: '/data/attributes' } }
            : null;
    },
    { data: { type: 'leads', attributes: { name: expect.any(String) } } },
  ],
  [
    'Airtable',
    ({ fields }) => (fields === undefined ? 'Could not find field "fields" in the request body' : null),
    { fields: { name: expect.any(String) } },
  ],
  [
    'OData, whose names begin with capitals',
    ({ FullName: name }) => (name === undefined ? 'FullName is required' : null),
    { FullName: expect.any(String) },
  ],
  [
    'Salesforce, which does not know fields in small letters',
    ({ FullName: name, ...others }) => {
      const [other] = Object.keys(others);
      return other !== undefined
        ? `No such column '${other}' on sobject of type Lead`
        : name === undefined
          ? 'Required fields are missing: [FullName]'
          : null;
    },
    { FullName: expect.any(String) },
  ],
  [
    'Rails, of parameters that it does not permit',
    ({ lead_name: name, ...others }) =>
      Object.keys(others).length > 0
        ? `found unpermitted parameters: ${Object.keys(others)
            .map((other) => `:${other}`)
            .join(', ')}`
        : name === undefined
          ? "Lead name can't be blank"
          : null,
    { lead_name: expect.any(String) },
  ],
  [
    'yup, of keys that it does not specify',
    ({ lead_name: name, ...others }) =>
      name === undefined
        ? 'lead_name is a required field'
        : Object.keys(others).length > 0
          ? `this field has unspecified keys: ${Object.keys(others).join(', ')}`
          : null,
    { lead_name: expect.any(String) },
  ],
  [
    'problem details',
    ({ lead_name: name, ...others }) => {
      const params = [
        ...(name === undefined ? [{ name: 'lead_name', reason: 'parameter_missing' }] : []),
        ...Object.keys(others).map((other) => ({ name: other, reason: 'unknown_parameter' })),
      ];
      return params.length === 0 ? null : { message: 'Bad parameters', params };
    },
    { lead_name: expect.any(String) },
  ],
  [
    'few words',
    ({ lead_name: name, ...others }) => {
      const [other] = Object.keys(others);
      return name === undefined ? 'missing: lead_name' : other === undefined ? null : `unexpected: ${other}`;
    },
    { lead_name: expect.any(String) },
  ],
  [
    'a calendar, of a value that it does not tell',
    ({ displayName: name }) => (name === undefined ? 'Invalid value for: displayName' : name === 'for' ? 'no' : null),
    { displayName: expect.any(String) },
  ],
];
