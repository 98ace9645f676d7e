import type { RefusalCase } from './unusual.ts';

/** How a framework says that `slot.kind` is missing, and that it must be `call` or `demo`. */
const kindOfSlot = (framework: string, missing: object | string, other: object | string): RefusalCase => [
  `${framework}, of a field in an object and its allowed values`,
  ({ slot }) => {
    const { kind } = Object(slot) as { kind?: unknown };
    return kind === undefined ? missing : kind === 'call' || kind === 'demo' ? null : other;
  },
  { slot: { kind: 'call' } },
];

/** Refusals of a field in an object, which the body lacks at first. */
export const nestedRefusals: readonly RefusalCase[] = [
  kindOfSlot(
    'ajv',
    { errors: [{ instancePath: '/slot', params: { missingProperty: 'kind' }, message: 'must have it' }] },
    {
      errors: [
        {
          instancePath: '/slot/kind',
          keyword: 'enum',
          params: { allowedValues: ['call', 'demo'] },
          message: 'must be equal to one of the allowed values',
        },
      ],
    },
  ),
  kindOfSlot(
    'JSON:API',
    { errors: [{ detail: 'kind is required', source: { pointer: '/data/attributes/slot/kind' } }] },
    { errors: [{ detail: 'must be one of: call, demo', source: { pointer: '/data/attributes/slot/kind' } }] },
  ),
  kindOfSlot(
    'Symfony',
    { violations: [{ propertyPath: '[slot][kind]', title: 'This value should not be blank.' }] },
    { violations: [{ propertyPath: '[slot][kind]', title: 'The selected value is no valid choice: call, demo.' }] },
  ),
  kindOfSlot(
    'Connexion',
    "'kind' is a required property - 'slot'",
    "'run-1 conformance run' is not one of ['call', 'demo'] - 'slot.kind'",
  ),
  kindOfSlot(
    'Jackson',
    'Missing required creator property (through reference chain: com.acme.Lead["slot"]->com.acme.Slot["kind"])',
    'Not one of the values accepted for Enum class: [call, demo] (through reference chain: Lead["slot"]->Slot["kind"])',
  ),
  kindOfSlot(
    'Effect',
    '{ readonly slot }\n└─ ["slot"]\n   └─ ["kind"]\n      └─ is missing',
    '{ readonly slot }\n└─ ["slot"]\n   └─ ["kind"]\n      └─ Expected "call" | "demo", actual "run-1 conformance run"',
  ),
  kindOfSlot(
    'Zod 4',
    '✖ Invalid input: expected string, received undefined\n  → at slot.kind',
    '✖ Invalid option: expected one of "call"|"demo"\n  → at slot.kind',
  ),
  kindOfSlot(
    'typia',
    { path: '$input.slot.kind', reason: 'undefined is not allowed', expected: 'string' },
    { path: '$input.slot.kind', reason: 'it has another type', expected: '("call" | "demo")' },
  ),
  kindOfSlot(
    'Bean Validation',
    { violations: [{ field: 'create.request.slot.kind', message: 'must not be blank' }] },
    { violations: [{ field: 'create.request.slot.kind', message: 'must be one of: call, demo' }] },
  ),
  kindOfSlot(
    'Spring',
    { errors: [{ codes: ['NotNull.lead.slot.kind'], field: 'slot.kind', defaultMessage: 'must not be null' }] },
    { errors: [{ codes: ['OneOf.lead.slot.kind'], field: 'slot.kind', defaultMessage: 'must be one of: call, demo' }] },
  ),
  kindOfSlot(
    'AWS',
    "Value null at 'slot.kind' failed to satisfy constraint: Member must not be null",
    "Value at 'slot.kind' failed to satisfy constraint: Member must satisfy enum value set: [call, demo]",
  ),
  kindOfSlot(
    'Vine',
    { errors: [{ field: 'slot.kind', message: 'The kind field must be defined' }] },
    { errors: [{ field: 'slot.kind', message: 'The selected kind is invalid', meta: { choices: ['call', 'demo'] } }] },
  ),
  [
    'a calendar, of a time in an object for its begin and one for its end',
    ({ start, end }) =>
      start === undefined || end === undefined ? 'start.dateTime is required; end.dateTime is required' : null,
    { start: { dateTime: '2026-03-02T15:00:00Z' }, end: { dateTime: '2026-03-02T15:30:00Z' } },
  ],
  [
    'yup, of a field of an unknown kind',
    ({ consent }) => (consent === undefined ? { errors: ['consent is a required field'] } : null),
    { consent: 'run-1 conformance run' },
  ],
  [
    'Zod, flattened',
    ({ consent }) => (consent === undefined ? { formErrors: [], fieldErrors: { consent: ['Required'] } } : null),
    { consent: 'run-1 conformance run' },
  ],
  [
    'Rails, of a field with few values',
    ({ scope }) =>
      scope === 'workspace'
        ? null
        : `Scope ${scope === undefined ? "can't be blank" : 'is not included in the list (workspace, user)'}`,
    { scope: 'workspace' },
  ],
];
