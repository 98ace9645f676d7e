import { expect, test } from 'vitest';
import { learnBody, type Recipe, recipesFor, repaired, wrapped } from '../../../../suites/records/bodies.ts';
import type { Answer } from '../../../../suites/session/call.ts';

const call = 'POST /v1/leads';
const fields = { name: 'Zoë {{run}}', notes: 'made' };
const recipe: Recipe = { template: fields, wrapper: null, isUsers: false };
const text = '{{run}} conformance';

const { notes: _, ...withoutNotes } = fields;
const [added, dropped] = [{ ...fields, region: text }, withoutNotes];
const named = { ...fields, last_name: 'Asa {{run}}' };
const pydantic = { type: 'extra_forbidden', loc: ['body', 'notes'], msg: 'Extra inputs are not permitted' };

test.each<[string, unknown, object | null]>([
  ['class-validator', { errors: [{ property: 'region', message: 'region should not be empty' }] }, added],
  ['Laravel', { errors: { region: ['The region field is required.'] } }, added],
  ['Laravel', { message: 'Wrong.', details: ['The region field is required.'] }, added],
  ['Laravel', { message: 'The last name field is required. (and 1 more error)' }, named],
  ['Rails', { message: "Validation failed: Last name can't be blank" }, named],
  ['Django REST framework', { region: ['This field is required.'] }, added],
  ['problem details', { errors: [{ pointer: '#/region', detail: 'is required' }] }, added],
  ['RFC 9457', { 'invalid-params': [{ name: 'notes', reason: 'is not supported' }] }, dropped],
  ['JSON:API', { errors: [{ source: { pointer: '/data/attributes/region' }, detail: 'is required' }] }, added],
  ['class-validator', { message: 'region should not be empty, region must be a string' }, added],
  ['express-validator', { errors: [{ type: 'field', msg: 'Invalid value', path: 'region' }] }, added],
  ['ajv', { message: "must have required property 'region'" }, added],
  [
    'ajv',
    { errors: [{ params: { additionalProperty: 'notes' }, message: 'must NOT have additional properties' }] },
    dropped,
  ],
  [
    'Gin',
    { message: "Key: 'Lead.HomeRegion' Error:Field validation for 'HomeRegion' failed on the 'required' tag" },
    { ...fields, HomeRegion: text, home_region: text },
  ],
  ['ASP.NET', { $: ["The JSON property 'notes' could not be mapped to any .NET member contained in 'Lead'"] }, dropped],
  ['PostgREST', { message: "Could not find the 'notes' column of 'leads' in the schema cache" }, dropped],
  [
    'Salesforce',
    { message: 'Required fields are missing: [LastName]', fields: ['LastName'] },
    { ...fields, LastName: 'Asa {{run}}' },
  ],
  ['go-playground/validator', { field: 'Region', message: 'Region is required' }, { ...fields, Region: text }],
  ['serde', { message: 'unknown field `notes`, expected one of `name`, `email`' }, dropped],
  ['Joi', { message: '"notes" is not allowed' }, dropped],
  ['class-validator', { message: ['property notes should not exist'] }, dropped],
  ['pydantic', { detail: [pydantic] }, dropped],
  ['Stripe', { message: 'Received unknown parameter: notes', param: 'notes' }, dropped],
  ['Google', { message: `Invalid JSON payload received. Unknown name "notes" at 'lead': Cannot find field.` }, dropped],
  ['Salesforce', { message: "No such column 'notes' on Lead", errorCode: 'INVALID_FIELD' }, dropped],
  ['Rails', { message: 'param is missing or the value is empty: "lead"' }, { lead: fields }],
  ['HubSpot', { message: 'Some required fields were not set: [properties]' }, { properties: fields }],
  ['Airtable', { message: 'Could not find field "fields" in the request body: it is required' }, { fields }],
  ['JSON:API', { errors: [{ detail: 'Missing `data`', source: { pointer: '/data' } }] }, { data: fields }],
  // No id is invented, and no value guessed.
  ['who wants an id', { message: 'owner_id is required' }, null],
  ['who wants a deeper field', { errors: { 'slot.start': ['is required'] } }, null],
  ['who names an error of JavaScript', { name: 'ValidationError', message: 'Some required fields were not set' }, null],
  ['who wants another value', { message: 'notes must be shorter than 3 characters' }, null],
])('a refusal changes a body by the fields that it names alone, as %s says it: %j', async (_says, error, expected) => {
  const next = await repaired(call, recipe, { json: { error }, text: '' });
  expect(next && wrapped(next.template, next.wrapper)).toEqual(expected);
});

test('the time of a booking is added where it is missed, and never the URL of a webhook to another record', async () => {
  const refusal = { json: { message: '"starts_at" and "callback_url" are required' }, text: '' };
  const booking = await repaired('POST /v1/bookings', { ...recipe, template: {} }, refusal);
  expect(booking?.template).toEqual({ starts_at: '{{slot_start}}' });
});

test.each([
  ['serde', (name: string) => `unknown field \`${name}\`, expected \`name\``],
  ["Go's json.Decoder", (name: string) => `json: unknown field "${name}"`],
])('a body loses as many fields as %s refuses, one at a time', async (_says, refusal) => {
  const template = { notes: '', phone: '', source: '', name: '', tags: '', company: '' };
  const learnt = await learnBody(call, [{ ...recipe, template }], {
    send: ({ template: sent }) => {
      const unknown = Object.keys(sent).find((name) => name !== 'name');
      const json = unknown === undefined ? {} : { error: { message: refusal(unknown) } };
      const answer = { status: unknown === undefined ? 201 : 400, json, text: JSON.stringify(json) } as Answer;
      return Promise.resolve({ answer });
    },
    isRefused: ({ status }) => status === 400,
  });
  expect([learnt.recipe.template, learnt.isRefused]).toEqual([{ name: '' }, false]);
});

test("the user's body is sent alone, and never changed", () => {
  const template = { full_name: '{{run}}' };
  const recipes = recipesFor({ userBodies: { [call]: template }, documentBodies: {} }, call);
  expect(recipes).toEqual([{ template, wrapper: null, isUsers: true }]);
});
