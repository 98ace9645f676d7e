import { kindOfLead, kindOfSlot } from './cases.ts';
import type { RefusalCase } from './unusual.ts';

/** Refusals of libraries for JavaScript, as they word them. */
export const javascriptRefusals: readonly RefusalCase[] = [
  kindOfLead(
    'Joi',
    'leadKind',
    {
      _original: { name: 'x' },
      details: [
        {
          message: '"leadKind" is required',
          path: ['leadKind'],
          type: 'any.required',
          context: { label: 'leadKind', key: 'leadKind' },
        },
      ],
    },
    (value) => ({
      _original: { leadKind: value },
      details: [
        {
          message: '"leadKind" must be one of [inbound, outbound]',
          path: ['leadKind'],
          type: 'any.only',
          context: { valids: ['inbound', 'outbound'], label: 'leadKind', value, key: 'leadKind' },
        },
      ],
    }),
  ),
  kindOfLead(
    'Valibot',
    'leadKind',
    {
      issues: [
        {
          kind: 'schema',
          type: 'object',
          expected: '"leadKind"',
          received: 'undefined',
          message: 'Invalid key: Expected "leadKind" but received undefined',
          path: [{ type: 'object', origin: 'key', input: { name: 'x' }, key: 'leadKind' }],
        },
      ],
    },
    (input) => ({
      issues: [
        {
          kind: 'schema',
          type: 'picklist',
          input,
          expected: '("inbound" | "outbound")',
          received: `"${input}"`,
          message: `Invalid type: Expected ("inbound" | "outbound") but received "${input}"`,
          path: [{ type: 'object', origin: 'value', input: { leadKind: input }, key: 'leadKind', value: input }],
        },
      ],
    }),
  ),
  kindOfSlot(
    'class-validator, nested',
    (slot) => ({
      message: [
        slot === undefined
          ? { property: 'slot', children: [], constraints: { isDefined: 'slot should not be null or undefined' } }
          : {
              target: { slot },
              value: slot,
              property: 'slot',
              children: [
                { property: 'kind', children: [], constraints: { isDefined: 'kind should not be null or undefined' } },
              ],
            },
      ],
    }),
    (kind) => ({
      message: [
        {
          property: 'slot',
          children: [
            {
              target: { kind },
              value: kind,
              property: 'kind',
              children: [],
              constraints: { isIn: 'kind must be one of the following values: call, demo' },
            },
          ],
        },
      ],
    }),
  ),
  kindOfLead(
    'Sequelize',
    'leadKind',
    {
      name: 'SequelizeValidationError',
      errors: [
        {
          message: 'Lead.leadKind cannot be null',
          type: 'notNull Violation',
          path: 'leadKind',
          value: null,
          origin: 'CORE',
          validatorKey: 'is_null',
          validatorName: null,
          validatorArgs: [],
        },
      ],
    },
    (value) => ({
      name: 'SequelizeValidationError',
      errors: [
        {
          message: 'Validation isIn on leadKind failed',
          type: 'Validation error',
          path: 'leadKind',
          value,
          origin: 'FUNCTION',
          validatorKey: 'isIn',
          validatorName: 'isIn',
          validatorArgs: [['inbound', 'outbound']],
        },
      ],
    }),
  ),
  kindOfLead(
    'Mongoose',
    'leadKind',
    {
      errors: {
        leadKind: {
          name: 'ValidatorError',
          message: 'Path `leadKind` is required.',
          properties: { message: 'Path `leadKind` is required.', type: 'required', path: 'leadKind' },
          kind: 'required',
          path: 'leadKind',
        },
      },
      _message: 'Lead validation failed',
      name: 'ValidationError',
      message: 'Lead validation failed: leadKind: Path `leadKind` is required.',
    },
    (value) => ({
      errors: {
        leadKind: {
          name: 'ValidatorError',
          message: `\`${value}\` is not a valid enum value for path \`leadKind\`.`,
          properties: {
            message: `\`${value}\` is not a valid enum value for path \`leadKind\`.`,
            type: 'enum',
            enumValues: ['inbound', 'outbound'],
            path: 'leadKind',
            value,
          },
          kind: 'enum',
          path: 'leadKind',
          value,
        },
      },
      _message: 'Lead validation failed',
      name: 'ValidationError',
      message: `Lead validation failed: leadKind: \`${value}\` is not a valid enum value for path \`leadKind\`.`,
    }),
  ),
  kindOfLead(
    'TypeBox',
    'leadKind',
    {
      type: 'validation',
      on: 'body',
      property: '/leadKind',
      message: 'Expected required property',
      summary: "Property 'leadKind' is missing",
      errors: [
        {
          type: 45,
          path: '/leadKind',
          message: 'Expected required property',
          summary: "Property 'leadKind' is missing",
        },
      ],
    },
    (value) => ({
      type: 'validation',
      on: 'body',
      property: '/leadKind',
      message: 'Expected union value',
      summary: "Property 'leadKind' should be one of: 'inbound', 'outbound'",
      found: { leadKind: value },
      errors: [
        {
          type: 62,
          schema: {
            anyOf: [
              { const: 'inbound', type: 'string' },
              { const: 'outbound', type: 'string' },
            ],
          },
          path: '/leadKind',
          value,
          message: 'Expected union value',
          summary: "Property 'leadKind' should be one of: 'inbound', 'outbound'",
        },
      ],
    }),
  ),
];
