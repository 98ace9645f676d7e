import { first, kindOfLead, kindOfSlot, strictly, text } from './cases.ts';
import type { RefusalCase } from './unusual.ts';

const list = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ');

/** Refusals of more frameworks, and of a few APIs, as they word them. */
export const moreFrameworkRefusals: readonly RefusalCase[] = [
  [
    'Grape (Ruby), of two fields',
    ({ seats, nickname }) => {
      const errors = [
        ...(nickname === undefined ? ['nickname is missing'] : []),
        ...(seats === undefined ? ['seats is missing'] : typeof seats === 'number' ? [] : ['seats is invalid']),
      ];
      return errors.length === 0 ? null : errors.join(', ');
    },
    { nickname: text, seats: 1 },
  ],
  kindOfSlot(
    'dry-validation (Ruby)',
    (slot) => ({ errors: { slot: slot === undefined ? ['is missing'] : { kind: ['is missing'] } } }),
    () => ({ errors: { slot: { kind: ['must be one of: call, demo'] } } }),
  ),
  kindOfLead(
    'CakePHP',
    'lead_kind',
    { message: 'A validation error occurred', errors: { lead_kind: { _required: 'This field is required' } } },
    () => ({
      message: 'A validation error occurred',
      errors: { lead_kind: { inList: 'The provided value must be one of: `inbound`, `outbound`' } },
    }),
  ),
  [
    'Yii, by label',
    ({ display_name: name }) =>
      name === undefined ? { errors: [{ field: 'display_name', message: 'Display Name cannot be blank.' }] } : null,
    { display_name: text },
  ],
  [
    'Laravel in Spanish',
    ({ lead_name: name }) =>
      name === undefined
        ? {
            message: 'El campo lead name es obligatorio.',
            errors: { lead_name: ['El campo lead name es obligatorio.'] },
          }
        : null,
    { lead_name: text },
  ],
  [
    'Sails, of a list of problems',
    ({ displayName: name }) =>
      name === undefined
        ? {
            code: 'E_MISSING_OR_INVALID_PARAMS',
            problems: ['"displayName" is required, but it was not defined.'],
            message:
              'The server could not fulfill this request (`POST /v1/leads`) due to 1 missing or invalid parameter.',
          }
        : null,
    { displayName: text },
  ],
  [
    'LoopBack, of additional properties and an enumeration',
    ({ leadKind: kind, ...others }) => {
      const details = [
        ...(kind === undefined
          ? [
              {
                path: '',
                code: 'required',
                message: "must have required property 'leadKind'",
                info: { missingProperty: 'leadKind' },
              },
            ]
          : kind === 'inbound'
            ? []
            : [
                {
                  path: '/leadKind',
                  code: 'enum',
                  message: 'must be equal to one of the allowed values',
                  info: { allowedValues: ['inbound', 'outbound'] },
                },
              ]),
        ...Object.keys(others).map((name) => ({
          path: '',
          code: 'additionalProperties',
          message: 'must NOT have additional properties',
          info: { additionalProperty: name },
        })),
      ];
      const message = 'The request body is invalid. See error object `details` property for more info.';
      return details.length === 0
        ? null
        : { statusCode: 422, name: 'UnprocessableEntityError', message, code: 'VALIDATION_FAILED', details };
    },
    { leadKind: 'inbound' },
  ],
  strictly(
    'PostgREST',
    'display_name',
    {
      code: '23502',
      details: 'Failing row contains (412, null, 2026-03-14 09:26:53.58).',
      hint: null,
      message: 'null value in column "display_name" of relation "leads" violates not-null constraint',
    },
    (names) => ({
      code: 'PGRST204',
      details: null,
      hint: null,
      message: `Could not find the '${first(names)}' column of 'leads' in the schema cache`,
    }),
  ),
  kindOfLead(
    'PocketBase',
    'lead_kind',
    {
      status: 400,
      message: 'Failed to create record.',
      data: { lead_kind: { code: 'validation_required', message: 'Missing required value.' } },
    },
    () => ({
      status: 400,
      message: 'Failed to create record.',
      data: { lead_kind: { code: 'validation_in_invalid', message: 'Must be one of inbound, outbound.' } },
    }),
  ),
  [
    'Zendesk',
    ({ nickname }) =>
      nickname === undefined
        ? {
            error: 'RecordInvalid',
            description: 'Record validation errors',
            details: {
              nickname: [{ type: 'blank', description: 'Nickname: cannot be blank', error: 'BlankError' }],
            },
          }
        : null,
    { nickname: text },
  ],
  kindOfSlot(
    'Notion',
    (slot) =>
      slot === undefined
        ? 'body failed validation: body.slot should be defined, instead was `undefined`.'
        : 'body failed validation: body.slot.kind should be defined, instead was `undefined`.',
    (kind) => `body failed validation: body.slot.kind should be \`"call"\` or \`"demo"\`, instead was \`"${kind}"\`.`,
  ),
  [
    'Slack',
    ({ nickname }) =>
      nickname === undefined
        ? {
            ok: false,
            error: 'invalid_arguments',
            response_metadata: { messages: ['[ERROR] missing required field: nickname [json-pointer:/]'] },
          }
        : null,
    { nickname: text },
  ],
  [
    'Twilio',
    ({ DisplayName: name }) =>
      name === undefined
        ? { code: 20001, message: 'Missing required parameter DisplayName in the post body', status: 400 }
        : null,
    { DisplayName: text },
  ],
  kindOfLead('Cal.com', 'leadKind', { message: "invalid_type in 'leadKind': Required" }, () => ({
    message: "invalid_enum_value in 'leadKind': Invalid enum value. Expected 'inbound' | 'outbound'",
  })),
  [
    'Flask-RESTX',
    ({ lead_kind: kind, ...others }) =>
      Object.keys(others).length > 0
        ? {
            errors: { '': `Additional properties are not allowed (${list(Object.keys(others))} were unexpected)` },
            message: 'Input payload validation failed',
          }
        : kind === undefined
          ? {
              errors: { lead_kind: "'lead_kind' is a required property" },
              message: 'Input payload validation failed',
            }
          : kind === 'inbound'
            ? null
            : {
                errors: { lead_kind: `'${String(kind)}' is not one of ['inbound', 'outbound']` },
                message: 'Input payload validation failed',
              },
    { lead_kind: 'inbound' },
  ],
  strictly(
    'Jackson',
    'displayName',
    "JSON parse error: Missing required creator property 'displayName' (index 0); nested exception is com.fasterxml.jackson.databind.exc.MismatchedInputException",
    (names) =>
      `JSON parse error: Unrecognized field "${first(names)}" (class com.acme.CreateLead), not marked as ignorable (2 known properties: "displayName", "source"])`,
  ),
  [
    'System.Text.Json (ASP.NET)',
    ({ displayName: name }) =>
      name === undefined
        ? {
            type: 'https://tools.ietf.org/html/rfc9110#section-15.5.1',
            title: 'One or more validation errors occurred.',
            status: 400,
            errors: {
              $: [
                "JSON deserialization for type 'Acme.Leads.CreateLead' was missing required properties, including the following: displayName",
              ],
              request: ['The request field is required.'],
            },
          }
        : null,
    { displayName: text },
  ],
  kindOfLead(
    'JSON::Validator (Perl)',
    'lead_kind',
    { errors: [{ message: 'Missing property.', path: '/lead_kind' }], status: 400 },
    () => ({ errors: [{ message: 'Not in enum list: inbound, outbound.', path: '/lead_kind' }], status: 400 }),
  ),
];
