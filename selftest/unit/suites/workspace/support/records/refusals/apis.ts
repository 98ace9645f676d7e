import { first, kindOfLead, kindOfSlot, strictly, text } from './cases.ts';
import type { RefusalCase } from './unusual.ts';

/** Refusals of well-known APIs, and of GraphQL, as they word them. */
export const apiRefusals: readonly RefusalCase[] = [
  strictly(
    'Hasura',
    'display_name',
    {
      errors: [
        {
          message:
            'Not-NULL violation. null value in column "display_name" of relation "leads" violates not-null constraint',
          extensions: { path: '$.selectionSet.insert_leads_one.args.object', code: 'constraint-violation' },
        },
      ],
    },
    (names) => ({
      errors: [
        {
          message: `field '${first(names)}' not found in type: 'leads_insert_input'`,
          extensions: {
            path: `$.selectionSet.insert_leads_one.args.object.${first(names)}`,
            code: 'validation-failed',
          },
        },
      ],
    }),
  ),
  [
    'GitHub, in codes',
    ({ nickname, ...others }) =>
      nickname === undefined
        ? {
            message: 'Validation Failed',
            errors: [{ resource: 'Lead', code: 'missing_field', field: 'nickname' }],
            documentation_url: 'https://docs.github.com/rest',
          }
        : Object.keys(others).length > 0
          ? {
              message: `Invalid request.\n\n${Object.keys(others)
                .map((name) => `"${name}" is not a permitted key.`)
                .join('\n')}`,
            }
          : null,
    { nickname: text },
  ],
  strictly(
    'GraphQL',
    'displayName',
    'Variable "$input" got invalid value {}; Field "displayName" of required type "String!" was not provided.',
    (names) =>
      `Variable "$input" got invalid value { ${first(names)}: "x" }; Field "${first(names)}" is not defined by type "CreateLeadInput".`,
  ),
  kindOfSlot(
    'Kubernetes',
    () => 'Lead.acme.com "run-1" is invalid: slot.kind: Required value',
    (kind) =>
      `Lead.acme.com "run-1" is invalid: slot.kind: Unsupported value: "${kind}": supported values: "call", "demo"`,
  ),
  strictly(
    'Google APIs',
    'leadName',
    {
      code: 400,
      status: 'INVALID_ARGUMENT',
      message: 'Request contains an invalid argument.',
      details: [
        {
          '@type': 'type.googleapis.com/google.rpc.BadRequest',
          fieldViolations: [{ field: 'leadName', description: 'Required field is not set.' }],
        },
      ],
    },
    (names) => ({
      code: 400,
      status: 'INVALID_ARGUMENT',
      message: names
        .map((name) => `Invalid JSON payload received. Unknown name "${name}": Cannot find field.`)
        .join('\n'),
      details: [
        {
          '@type': 'type.googleapis.com/google.rpc.BadRequest',
          fieldViolations: names.map((name) => ({
            description: `Invalid JSON payload received. Unknown name "${name}": Cannot find field.`,
          })),
        },
      ],
    }),
  ),
  kindOfLead(
    'Stripe',
    'lead_kind',
    { code: 'parameter_missing', message: 'Missing required param: lead_kind.', param: 'lead_kind' },
    () => ({ message: 'Invalid lead_kind: must be one of inbound or outbound', param: 'lead_kind' }),
  ),
];
