import { first, kindOfLead, kindOfSlot, strictly, text } from './cases.ts';
import type { RefusalCase } from './unusual.ts';

/** Refusals of more APIs, and of a few frameworks, as they word them. */
export const moreApiRefusals: readonly RefusalCase[] = [
  kindOfLead(
    'Intercom',
    'lead_kind',
    { type: 'error.list', errors: [{ code: 'parameter_not_found', message: 'lead_kind not specified' }] },
    () => ({
      type: 'error.list',
      errors: [{ code: 'parameter_invalid', message: 'lead_kind is invalid, must be one of inbound, outbound' }],
    }),
  ),
  [
    'Asana',
    ({ seats }) => {
      const help =
        'For more information on API status codes and how to handle them, read the docs on errors: https://developers.asana.com/docs/errors';
      const message =
        seats === undefined ? 'seats: Missing input' : typeof seats === 'number' ? null : 'seats: Not a valid integer';
      return message === null ? null : { errors: [{ message, help }] };
    },
    { seats: 1 },
  ],
  strictly(
    'Jira',
    'display_name',
    { errorMessages: [], errors: { display_name: 'You must specify a display name.' } },
    (names) => ({
      errorMessages: [],
      errors: Object.fromEntries(
        names.map((name) => [name, `Field '${name}' cannot be set. It is not on the appropriate screen, or unknown.`]),
      ),
    }),
  ),
  ['Trello', ({ seats }) => (typeof seats === 'number' ? null : 'invalid value for seats'), { seats: 1 }],
  kindOfSlot(
    'Square',
    () => ({
      errors: [
        {
          code: 'MISSING_REQUIRED_PARAMETER',
          detail: 'Missing required parameter.',
          field: 'slot.kind',
          category: 'INVALID_REQUEST_ERROR',
        },
      ],
    }),
    (kind) => ({
      errors: [
        {
          code: 'INVALID_ENUM_VALUE',
          detail: `\`${kind}\` is not a valid enum value for \`slot.kind\`. Allowed values: call, demo`,
          field: 'slot.kind',
          category: 'INVALID_REQUEST_ERROR',
        },
      ],
    }),
  ),
  [
    'PayPal',
    ({ nickname }) =>
      nickname === undefined
        ? {
            name: 'INVALID_REQUEST',
            message: 'Request is not well-formed, syntactically incorrect, or violates schema.',
            details: [
              {
                field: '/nickname',
                location: 'body',
                issue: 'MISSING_REQUIRED_PARAMETER',
                description: 'A required field / parameter is missing.',
              },
            ],
          }
        : null,
    { nickname: text },
  ],
  strictly(
    'Microsoft Graph',
    'displayName',
    { code: 'Request_BadRequest', message: "A value is required for property 'displayName' of resource 'Lead'." },
    (names) => ({ code: 'Request_BadRequest', message: `Invalid property '${first(names)}'.` }),
  ),
  strictly(
    'encoding/json (Go)',
    'leadName',
    'leadName is a required field',
    (names) => `json: unknown field "${first(names)}"`,
  ),
  kindOfLead(
    'Ash (Elixir)',
    'lead_kind',
    {
      errors: [
        {
          code: 'required',
          detail: 'is required',
          source: { pointer: '/data/attributes/lead_kind' },
          title: 'Required',
          status: '400',
        },
      ],
    },
    (kind) => ({
      errors: [
        {
          code: 'invalid_attribute',
          detail: `atom must be one of inbound, outbound, got: ${kind}`,
          source: { pointer: '/data/attributes/lead_kind' },
          title: 'InvalidAttribute',
          status: '400',
        },
      ],
    }),
  ),
  [
    'Huma (Go)',
    ({ lead_kind: kind, ...others }) => {
      const errors = [
        ...Object.entries(others).map(([name, value]) => ({
          message: 'unexpected property',
          location: `body.${name}`,
          value,
        })),
        ...(kind === undefined
          ? [{ message: 'expected required property lead_kind to be present', location: 'body', value: others }]
          : kind === 'inbound'
            ? []
            : [
                {
                  message: 'expected value to be one of "inbound, outbound"',
                  location: 'body.lead_kind',
                  value: kind,
                },
              ]),
      ];
      return errors.length === 0
        ? null
        : { title: 'Unprocessable Entity', status: 422, detail: 'validation failed', errors };
    },
    { lead_kind: 'inbound' },
  ],
  strictly(
    'msgspec (Litestar)',
    'lead_name',
    {
      status_code: 400,
      detail: 'Validation failed for POST /v1/leads',
      extra: [{ message: 'Object missing required field `lead_name`', key: 'data', source: 'body' }],
    },
    (names) => ({
      status_code: 400,
      detail: 'Validation failed for POST /v1/leads',
      extra: [{ message: `Object contains unknown field \`${first(names)}\``, key: 'data', source: 'body' }],
    }),
  ),
  kindOfLead(
    'ArkType',
    'leadKind',
    'leadKind must be "inbound" or "outbound" (was missing)',
    (kind) => `leadKind must be "inbound" or "outbound" (was "${kind}")`,
  ),
  kindOfSlot(
    'Superstruct',
    (slot) =>
      slot === undefined
        ? 'At path: slot -- Expected an object, but received: undefined'
        : 'At path: slot.kind -- Expected one of `"call","demo"`, but received: undefined',
    (kind) => `At path: slot.kind -- Expected one of \`"call","demo"\`, but received: "${kind}"`,
  ),
  [
    'io-ts',
    ({ displayName: name }) =>
      name === undefined
        ? { errors: ['Invalid value undefined supplied to : { displayName: string }/displayName: string'] }
        : null,
    { displayName: text },
  ],
];
