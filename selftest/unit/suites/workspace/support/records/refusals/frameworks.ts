import { type Body, first, kindOfLead, kindOfSlot, strictly, text } from './cases.ts';
import type { RefusalCase } from './unusual.ts';

/** Refusals of frameworks in other languages, as they word them. */
export const frameworkRefusals: readonly RefusalCase[] = [
  [
    'Play (Scala), of a missing path',
    ({ displayName: name }) =>
      name === undefined ? { 'obj.displayName': [{ msg: ['error.path.missing'], args: [] }] } : null,
    { displayName: text },
  ],
  [
    'Phoenix (Ecto), of a changeset',
    ({ seats }) =>
      seats === undefined
        ? { errors: { seats: ["can't be blank"] } }
        : typeof seats === 'number'
          ? null
          : { errors: { seats: ['is invalid'] } },
    { seats: 1 },
  ],
  kindOfSlot(
    'Symfony',
    () => ({
      type: 'https://symfony.com/errors/validation',
      title: 'Validation Failed',
      detail: 'slot.kind: This value should not be blank.',
      violations: [
        {
          propertyPath: 'slot.kind',
          title: 'This value should not be blank.',
          template: 'This value should not be blank.',
          parameters: { '{{ value }}': 'null' },
          type: 'urn:uuid:c1051bb4-d103-4f74-8988-acbcafc7fdc3',
        },
      ],
    }),
    (kind) => ({
      type: 'https://symfony.com/errors/validation',
      title: 'Validation Failed',
      detail: 'slot.kind: The value you selected is not a valid choice.',
      violations: [
        {
          propertyPath: 'slot.kind',
          title: 'The value you selected is not a valid choice.',
          template: 'The value you selected is not a valid choice.',
          parameters: { '{{ value }}': `"${kind}"`, '{{ choices }}': '"call", "demo"' },
          type: 'urn:uuid:8e179f1b-97aa-4560-a02f-2a8b42e49df7',
        },
      ],
    }),
  ),
  [
    'FluentValidation, of a label',
    ({ displayName: name }) =>
      name === undefined
        ? {
            errors: [
              {
                propertyName: 'DisplayName',
                errorMessage: "'Display Name' must not be empty.",
                attemptedValue: null,
                severity: 0,
                errorCode: 'NotEmptyValidator',
                formattedMessagePlaceholderValues: { PropertyName: 'Display Name', PropertyValue: null },
              },
            ],
          }
        : null,
    { displayName: text },
  ],
  [
    'Micronaut, in an embedded list',
    ({ displayName: name }) =>
      name === undefined
        ? {
            _links: { self: [{ href: '/v1/leads', templated: false }] },
            _embedded: { errors: [{ message: 'lead.displayName: must not be blank' }] },
            message: 'Bad Request',
          }
        : null,
    { displayName: text },
  ],
  kindOfSlot(
    'marshmallow, nested',
    () => ({ errors: { json: { slot: { kind: ['Missing data for required field.'] } } } }),
    () => ({ errors: { json: { slot: { kind: ['Must be one of: call, demo.'] } } } }),
  ),
  [
    'pydantic 1',
    ({ slot, ...others }) => {
      const { kind } = Object(slot) as Body;
      const detail = [
        ...Object.keys(others).map((name) => ({
          loc: ['body', name],
          msg: 'extra fields not permitted',
          type: 'value_error.extra',
        })),
        ...(kind === undefined
          ? [{ loc: ['body', 'slot', 'kind'], msg: 'field required', type: 'value_error.missing' }]
          : kind === 'call'
            ? []
            : [
                {
                  loc: ['body', 'slot', 'kind'],
                  msg: "value is not a valid enumeration member; permitted: 'call', 'demo'",
                  type: 'type_error.enum',
                  ctx: { enum_values: ['call', 'demo'] },
                },
              ]),
      ];
      return detail.length === 0 ? null : { detail };
    },
    { slot: { kind: 'call' } },
  ],
  kindOfSlot(
    'axum (serde)',
    (slot) =>
      slot === undefined
        ? 'Failed to deserialize the JSON body into the target type: missing field `slot` at line 1 column 212'
        : 'Failed to deserialize the JSON body into the target type: slot: missing field `kind` at line 1 column 212',
    (kind) =>
      `Failed to deserialize the JSON body into the target type: slot.kind: unknown variant \`${kind}\`, expected \`call\` or \`demo\` at line 1 column 212`,
  ),
  [
    'garde (Rust)',
    ({ nickname }) =>
      nickname === undefined
        ? 'nickname: not set'
        : String(nickname).length <= 12
          ? null
          : 'nickname: length is greater than 12',
    { nickname: text },
  ],
  [
    'Vapor, of a list of complaints',
    ({ nickname, seats }) =>
      nickname === undefined || seats === undefined
        ? {
            error: true,
            reason: [
              ...(nickname === undefined ? ['nickname is required'] : []),
              ...(seats === undefined ? ['seats is required'] : []),
            ].join(', '),
          }
        : typeof seats === 'number'
          ? null
          : { error: true, reason: 'seats is not a(n) Int' },
    { nickname: text, seats: 1 },
  ],
  strictly(
    'Ktor (kotlinx.serialization)',
    'leadName',
    "Illegal input: Field 'leadName' is required for type with serial name 'com.acme.CreateLead', but it was missing at path: $",
    (names) =>
      `Illegal input: Unexpected JSON token at offset 9: Encountered an unknown key '${first(names)}' at path: $\nUse 'ignoreUnknownKeys = true' in 'Json {}' builder to ignore unknown keys.`,
  ),
  strictly(
    'OpenApiSpex (Cowboy)',
    'lead_name',
    {
      errors: [{ title: 'Invalid value', source: { pointer: '/lead_name' }, detail: 'Missing field: lead_name' }],
    },
    (names) => ({
      errors: names.map((name) => ({
        title: 'Invalid value',
        source: { pointer: `/${name}` },
        detail: `Unexpected field: ${name}`,
      })),
    }),
  ),
  [
    'Cerberus (Eve)',
    ({ seats, ...others }) => {
      const issues = {
        ...Object.fromEntries(Object.keys(others).map((name) => [name, 'unknown field'])),
        ...(seats === undefined
          ? { seats: 'required field' }
          : typeof seats === 'number'
            ? {}
            : { seats: 'must be of integer type' }),
      };
      return Object.keys(issues).length === 0
        ? null
        : {
            _status: 'ERR',
            _issues: issues,
            _error: { code: 422, message: 'Insertion failure: 1 document(s) contain(s) error(s)' },
          };
    },
    { seats: 1 },
  ],
  kindOfLead(
    'go-openapi',
    'lead_kind',
    'validation failure list:\nvalidation failure list:\nlead_kind in body is required',
    () => 'validation failure list:\nvalidation failure list:\nlead_kind in body should be one of [inbound outbound]',
  ),
];
