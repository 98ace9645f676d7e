import { expect, test } from 'vitest';
import {
  learnBody,
  type Recipe,
  recipesFor,
  refusesBody,
  repaired,
  wrapped,
} from '../../../../suites/records/bodies.ts';
import { fieldsNamed } from '../../../../suites/records/named-fields.ts';

const call = 'POST /v1/leads';
const recipe: Recipe = { template: { name: 'Zoë {{run}}', notes: 'made' }, wrapper: null, isUsers: false };
const text = '{{run}} conformance';
const [name, notes] = ['Zoë {{run}}', 'made'];

const repairedBody = (error: unknown): unknown => {
  const next = repaired(call, recipe, { json: { error }, text: '' });
  return next && wrapped(next.template, next.wrapper);
};

test.each([
  ['FastAPI', { detail: [{ type: 'missing', loc: ['body', 'region'], msg: 'Field required' }] }, 'region'],
  ['Joi', { message: '"region" is required' }, 'region'],
  ['zod', { issues: [{ code: 'invalid_type', path: ['region'], message: 'Required' }] }, 'region'],
  ['class-validator', { errors: [{ property: 'region', message: 'region should not be empty' }] }, 'region'],
  ['Laravel', { errors: { region: ['The region field is required.'] } }, 'region'],
  ['Rails', { errors: { region: ["can't be blank"] } }, 'region'],
  ['Django REST framework', { region: ['This field is required.'] }, 'region'],
  ['serde', 'missing field `region` at line 1 column 20', 'region'],
  ['Stripe', { message: 'Missing required param: region.', param: 'region', type: 'invalid_request_error' }, 'region'],
  ['problem details', { errors: [{ pointer: '#/region', detail: 'is required' }] }, 'region'],
  ['JSON:API', { errors: [{ source: { pointer: '/data/attributes/region' }, detail: 'is required' }] }, 'region'],
  ['ajv', { message: "must have required property 'region'" }, 'region'],
  ['Salesforce', { message: 'Required fields are missing: [LastName]', fields: ['LastName'] }, 'LastName'],
  ['go-playground/validator', { field: 'Region', message: 'Region is required' }, 'Region'],
])('a field that %s misses is added', (_, error, missing) => {
  const added = missing === 'LastName' ? 'Asa {{run}}' : text;
  expect(repairedBody(typeof error === 'string' ? { message: error } : error)).toEqual({
    name,
    notes,
    [missing]: added,
  });
});

test.each([
  ['serde', { message: 'unknown field `notes`, expected one of `name`, `email`' }],
  ['Joi', { message: '"notes" is not allowed' }],
  ['class-validator', { message: ['property notes should not exist'] }],
  [
    'pydantic',
    { detail: [{ type: 'extra_forbidden', loc: ['body', 'notes'], msg: 'Extra inputs are not permitted' }] },
  ],
  ['Stripe', { message: 'Received unknown parameter: notes', param: 'notes' }],
  ['Airtable', { type: 'UNKNOWN_FIELD_NAME', message: 'Unknown field name: "notes"' }],
  ['Google', { message: `Invalid JSON payload received. Unknown name "notes" at 'lead': Cannot find field.` }],
  ['Salesforce', { message: "No such column 'notes' on Lead", errorCode: 'INVALID_FIELD' }],
])('a field that %s does not know is dropped', (_, error) => {
  expect(repairedBody(error)).toEqual({ name });
});

test.each([
  ['Rails', { message: 'param is missing or the value is empty: "lead"' }, 'lead'],
  ['HubSpot', { message: 'Some required fields were not set: [properties]' }, 'properties'],
  ['Airtable', { message: 'Could not find field "fields" in the request body: it is required' }, 'fields'],
  ['JSON:API', { errors: [{ detail: 'Missing `data`', source: { pointer: '/data' } }] }, 'data'],
])('all fields are put into the one that %s misses', (_, error, wrapper) => {
  expect(repairedBody(error)).toEqual({ [wrapper]: { name, notes } });
});

test.each([
  [{ message: 'owner_id is required' }],
  [{ errors: { 'slot.start': ['is required'] } }],
  [{ message: 'The request is not valid' }],
  [{ message: 'notes must be shorter than 3 characters' }],
])('%j asks for nothing that can be done: no id is invented, and no value guessed', (error) => {
  expect(repairedBody(error)).toBeNull();
});

test('the time of a booking is added where it is missed, and never the URL of a webhook to another record', () => {
  const refusal = { json: { message: '"starts_at" and "callback_url" are required' }, text: '' };
  const booking = repaired('POST /v1/bookings', { ...recipe, template: {} }, refusal);
  expect(booking?.template).toEqual({ starts_at: '{{slot_start}}' });
});

const learn = (refusalOf: (body: Record<string, unknown>) => string | null) => {
  const sent: unknown[] = [];
  const learnt = learnBody(call, recipesFor({ userBodies: {}, documentBodies: {} }, call), {
    send: async ({ template }) => {
      sent.push(template);
      const message = refusalOf(template);
      return { answer: { status: message === null ? 201 : 400, json: { message }, text: '' } as never };
    },
    isRefused: refusesBody,
  });
  return learnt.then((one) => ({ ...one, sent }));
};

test('a body is repaired a few times, and then the next likely one is tried', async () => {
  const fields = ['region', 'team', 'priority', 'vertical'];
  const lacking = (body: Record<string, unknown>): string | undefined => fields.find((one) => !(one in body));
  const { isRefused, sent } = await learn((body) => {
    const field = lacking(body);
    return field === undefined ? null : `${field} is required`;
  });
  expect(isRefused).toBe(true);
  // Each of the three likely bodies, with three repairs.
  expect(sent).toHaveLength(12);
});

test('the body that was sent last is kept, as an entry for BODIES', async () => {
  const { isRefused, recipe: last } = await learn((body) => ('team' in body ? 'Not today' : 'team is required'));
  expect(isRefused).toBe(true);
  expect(last?.template).toEqual({
    first_name: 'Zoe',
    last_name: 'Asa {{run}}',
    email: '{{email}}',
    phone: '{{phone}}',
    source: 'website',
    team: text,
  });
});

test("the user's body is the only one, and is never changed", () => {
  const users = recipesFor({ userBodies: { [call]: { full_name: '{{run}}' } }, documentBodies: {} }, call);
  expect(users).toEqual([{ template: { full_name: '{{run}}' }, wrapper: null, isUsers: true }]);
});

test('names are read from the fields of errors, and not from their texts', () => {
  const json = { message: 'the Lead was not saved', errors: [{ field: 'body.email', message: 'is invalid' }] };
  expect(fieldsNamed({ json, text: '' }, { email: 'x', name: 'y' })).toEqual({
    missing: [],
    unknown: [],
    all: ['email'],
  });
});
