import { expect, test } from 'vitest';
import {
  bodyOf,
  firstRecipe,
  type Recipe,
  revisions,
} from '../../../../../../suites/workspace/support/records/recipes.ts';
import { apiRefusals } from './refusals/apis.ts';
import { frameworkRefusals } from './refusals/frameworks.ts';
import { javascriptRefusals } from './refusals/javascript.ts';
import { moreApiRefusals } from './refusals/more-apis.ts';
import { moreFrameworkRefusals } from './refusals/more-frameworks.ts';
import { nestedRefusals } from './refusals/nested-fields.ts';
import { type RefusalCase, type Refusals, unusualRefusals } from './refusals/unusual.ts';
import { wholeServerRefusals } from './refusals/whole-servers.ts';

const slot = { start: new Date('2026-03-02T15:00:00Z'), end: new Date('2026-03-02T15:30:00Z') };
const context = { seed: 1, tag: 'run-1', number: 1, slot };

/** The body that is finally accepted after several refusals; null if none is. */
function bodyTaken(refusalOf: Refusals): unknown {
  let recipe: Recipe = firstRecipe;
  for (let tries = 0; tries < 15; tries += 1) {
    const { body } = bodyOf('leads', recipe, context);
    const refusal = refusalOf(body);
    if (refusal === null) {
      return body;
    }
    const json = { error: typeof refusal === 'string' ? { message: refusal } : refusal };
    const [next] = revisions('leads', recipe, { context, answer: { json, text: '' } });
    recipe = next ?? recipe;
  }
  return null;
}

const refusals: readonly RefusalCase[] = [
  [
    'ozzo-validation (Go)',
    ({ full_name: name }) => (name === undefined ? 'full_name: cannot be blank.' : null),
    { full_name: expect.any(String) },
  ],
  [
    'go-playground/validator',
    ({ sales_region: region }) =>
      region === undefined
        ? "Key: 'Lead.SalesRegion' Error:Field validation for 'SalesRegion' failed on the 'required' tag"
        : null,
    { sales_region: expect.any(String) },
  ],
  [
    'FastAPI',
    ({ branch: code, level }) => {
      const errors = [
        ...(/^[A-Z]{2}-\d{3}$/.test(String(code))
          ? []
          : [{ loc: ['body', 'branch'], msg: "String should match pattern '^[A-Z]{2}-\\d{3}$'" }]),
        ...(Number(level) >= 3 ? [] : [{ loc: ['body', 'level'], msg: 'Input should be greater than or equal to 3' }]),
      ];
      return errors.length === 0 ? null : { message: 'Request validation failed', errors };
    },
    { branch: 'AA-111', level: 3 },
  ],
  [
    'FastAPI, an unknown field and a field with three possible values',
    ({ name, depth }) => {
      const errors = [
        ...(name === undefined ? [] : [{ loc: ['body', 'name'], msg: 'Extra inputs are not permitted' }]),
        ...(depth === undefined ? [{ loc: ['body', 'depth'], msg: 'Field required' }] : []),
        ...(depth === undefined || depth === 'quick'
          ? []
          : [{ loc: ['body', 'depth'], msg: "Input should be 'quick', 'standard' or 'deep'" }]),
      ];
      return errors.length === 0 ? null : { message: 'Request validation failed', errors };
    },
    { depth: 'quick' },
  ],
  [
    'Spring Boot',
    ({ interest }) =>
      interest === undefined
        ? { fieldErrors: [{ field: 'interest', rejectedValue: null, defaultMessage: 'must not be null' }] }
        : interest === 'LOW'
          ? null
          : `JSON parse error: Cannot deserialize value of type \`app.Interest\` from String "${interest}": not one of the values accepted for Enum class: [LOW, HIGH]`,
    { interest: 'LOW' },
  ],
  [
    'Spring Boot, an item of a list',
    ({ recipients }) =>
      Array.isArray(recipients)
        ? String(recipients[0]).endsWith('@example.com')
          ? null
          : { fieldErrors: [{ field: 'recipients[0]', defaultMessage: 'must be a well-formed email address' }] }
        : { fieldErrors: [{ field: 'recipients', defaultMessage: 'must not be empty' }] },
    { recipients: [expect.stringContaining('@')] },
  ],
  [
    'Laravel',
    ({ interest_level: level }) =>
      typeof level === 'number' && level <= 5
        ? null
        : {
            message: 'The interest level field is required.',
            errors: {
              interest_level: [`The interest level field must be ${level === undefined ? 'given' : 'an integer'}.`],
            },
          },
    { interest_level: 1 },
  ],
  [
    'marshmallow',
    ({ country_code: code, ...others }) => {
      const unknown = Object.keys(others).filter((name) => name !== 'email');
      const json = {
        ...Object.fromEntries(unknown.map((name) => [name, ['Unknown field.']])),
        ...(code === undefined ? { country_code: ['Missing data for required field.'] } : {}),
        ...(code === undefined || code === 'US'
          ? {}
          : {
              country_code: [
                `${typeof code === 'string' ? 'String does not match expected pattern' : 'Not a valid string'}.`,
              ],
            }),
      };
      return Object.keys(json).length === 0 ? null : { message: 'Invalid input.', errors: { json } };
    },
    { country_code: 'US', email: expect.any(String) },
  ],
  [
    'marshmallow, a pattern that the message does not state',
    ({ branch }) => {
      if (/^\d+$/.test(String(branch)) && typeof branch === 'string') {
        return null;
      }
      const complaint =
        branch === undefined ? 'Missing data for required field' : 'String does not match expected pattern';
      return { errors: { json: { branch: [`${complaint}.`] } } };
    },
    { branch: '12345' },
  ],
  [
    'Spring, with a field of its own for messages',
    ({ scope, ...others }) =>
      scope === undefined
        ? { violations: [{ field: 'scope', rejectedValue: null, defaultMessage: 'must not be null', code: 'NotNull' }] }
        : 'defaultMessage' in others
          ? 'no'
          : null,
    { scope: expect.any(String) },
  ],
  [
    'serde (Rust)',
    ({ lead_kind: kind, ...others }) => {
      const other = Object.keys(others).find((name) => name !== 'email');
      return other !== undefined
        ? `unknown field \`${other}\`, expected \`email\` or \`lead_kind\``
        : kind === undefined
          ? 'missing field `lead_kind` at line 1 column 200'
          : kind === 'inbound'
            ? null
            : `unknown variant \`${kind}\`, expected \`inbound\` or \`outbound\` at line 1 column 80`;
    },
    { lead_kind: 'inbound', email: expect.any(String) },
  ],
  [
    'serde, a nested object',
    ({ contact }) =>
      contact === undefined
        ? 'missing field `contact`'
        : Object.keys(contact as object).length === 1
          ? null
          : 'unknown field `name`, expected `email`',
    { contact: { email: expect.any(String) } },
  ],
  [
    'Rails',
    ({ branch_name: name, budget }) =>
      name === undefined
        ? "Validation failed: Branch name can't be blank, Budget is not a number"
        : typeof budget === 'number'
          ? null
          : 'Validation failed: Budget is not a number',
    { branch_name: expect.any(String), budget: 1 },
  ],
  ...unusualRefusals,
  ...nestedRefusals,
  ...javascriptRefusals,
  ...frameworkRefusals,
  ...apiRefusals,
  ...moreFrameworkRefusals,
  ...moreApiRefusals,
  ...wholeServerRefusals,
];

test.each(refusals)('a body is changed as a refusal of %s asks', (_, refusalOf, taken) => {
  expect(bodyTaken(refusalOf)).toMatchObject(taken);
});
