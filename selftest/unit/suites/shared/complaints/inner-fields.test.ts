import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../../common/json.ts';
import { changed } from '../../../../../suites/shared/complaints/body-changes.ts';
import { complaintOf, type InnerField } from '../../../../../suites/shared/complaints/complaint.ts';
import { changesFor } from '../../../../../suites/shared/complaints/inner-changes.ts';

const sent = {
  name: 'Ada',
  email: 'ada@example.com',
  attendees: [{ name: 'Ada' }],
  languages: ['fr', 'de'],
  slot: {},
};

/** What a refusal says of fields inside those of a body. */
const innerFields = (json: unknown, body: JsonObject, wrapper?: string): readonly InnerField[] =>
  complaintOf({ json, text: '' }, body, { wrapper }).inner;

/** The body after it was changed as a refusal asks. */
function amended(error: unknown, body: JsonObject = sent): unknown {
  const complaint = complaintOf({ json: { error }, text: '' }, body);
  const valuesOf = (field: string): readonly unknown[] => [`some ${field}`, {}];
  const changes = changesFor(complaint.fields, { complaint, fields: body, earlier: [], valuesOf, rows: [] });
  return changed(body, changes, valuesOf);
}

test.each([
  ['Joi', { message: '"attendees[0].email" is required' }],
  ['NestJS', { message: ['attendees.0.email must be an email'] }],
  ['Spring', { errors: [{ field: 'attendees[0].email', defaultMessage: 'must not be blank' }] }],
  ['Laravel', { errors: { 'attendees.0.email': ['The attendees.0.email field is required.'] } }],
  ['Django REST framework', { details: { attendees: [{ email: ['This field is required.'] }] } }],
  ['pydantic', { detail: [{ loc: ['body', 'attendees', 0, 'email'], msg: 'field required' }] }],
  ['zod', { issues: [{ path: ['attendees', 0, 'email'], message: 'Required' }] }],
  ['JSON pointers', { details: [{ pointer: '/attendees/0/email', detail: 'is required' }] }],
  ['JSON:API', { errors: [{ source: { pointer: '/data/attributes/attendees/0/email' }, detail: 'is required' }] }],
  ['members by their number', { details: { attendees: { 0: { email: ['is required'] } } } }],
  ['a sentence on several', { message: 'Bad input: attendees.0.email is required, slot is fine' }],
  [
    'ajv',
    { details: [{ instancePath: '/attendees/0', params: { missingProperty: 'email' }, message: 'must have it' }] },
  ],
  ['Fastify', { message: "body/attendees/0 must have required property 'email'" }],
  ['Go', { message: "Key: 'Booking.Attendees[0].Email' Error:Field validation for 'Email' failed" }],
])('a field of the members of a list is set, in the words of %s', (_, error) => {
  expect(amended(error)).toMatchObject({ name: 'Ada', attendees: [{ name: 'Ada', email: expect.any(String) }] });
});

test('the names of a body that is capitalised are taken as refusals spell them', () => {
  const body = { person: {}, Person: {} };
  expect(amended({ message: 'The Person.GivenName field is required.' }, body)).toMatchObject({
    person: {},
    Person: { GivenName: 'some GivenName' },
  });
});

test('a field of an object is set if the object lacks it', () => {
  expect(amended({ message: 'slot.start: is required' })).toEqual({ ...sent, slot: { start: 'some start' } });
});

test.each([
  ['yup', { message: 'opening.at is a required field', path: 'opening.at' }],
  ['Spring', { fieldErrors: [{ field: 'opening.at', message: 'must not be null' }] }],
  [
    'express-openapi-validator',
    { errors: [{ path: '/body/opening/at', message: "must have required property 'at'" }] },
  ],
  ['a word before it', { message: 'missing: opening.at' }],
])('an object that the body lacks is set with its field, in the words of %s', (_, error) => {
  expect(amended(error)).toEqual({ ...sent, opening: { at: 'some at' } });
});

test("an object is set by Laravel's label of it", () => {
  const error = { errors: { 'opening_hours.at': ['The opening hours.at field is required.'] } };
  expect(amended(error)).toEqual({ ...sent, opening_hours: { at: 'some at' } });
});

test('a field of the body itself is set there, whatever precedes its name', () => {
  expect(amended({ message: 'lead.note is required; body.mark is required' })).toEqual({
    ...sent,
    note: 'some note',
    mark: 'some mark',
  });
});

test('a field that members may not have is dropped', () => {
  expect(amended({ message: '"attendees[0].name" is not allowed' })).toEqual({ ...sent, attendees: [{}] });
});

test.each([
  ['allowed characters are kept', 'languages[0]: must be one of: en, de', ['de']],
  ['the class says which characters are allowed', 'languages.0 must be one of the following values: de, it', ['de']],
  ['the first possible value, if none is there', 'languages.1 must be one of "en", "it" or "es"', ['en']],
])('a list of values: %s', (_, message, languages) => {
  expect(amended({ message })).toEqual({ ...sent, languages });
});

test.each([
  [
    'more',
    { detail: [{ loc: ['body', 'attendees'], msg: 'List should have at least 2 items after validation, not 1' }] },
    2,
  ],
  ['fewer', { details: { attendees: ['must contain no more than 1 items'] } }, 1],
])('a list that must have %s members keeps those that it has', (_, error, count) => {
  const members = [{ name: 'Ada', email: 'a@example.com' }, ...(count === 1 ? [{ name: 'Eve' }] : [])];
  const body = { ...sent, attendees: members };
  expect(amended(error, body)).toEqual({ ...sent, attendees: Array.from({ length: count }, () => members[0]) });
});

test('if fields are unknown and none is named, those that no refusal asked for are removed, and missing ones are added', () => {
  const unknown = 'body must NOT have additional properties';
  expect(amended({ message: unknown })).toEqual({});
  expect(amended({ message: `${unknown}, body must have required property 'title'` })).toEqual({ title: 'some title' });
});

test('an echo of the body is not a complaint about it', () => {
  expect(amended({ message: 'Bad request', received: sent })).toEqual(sent);
  expect(amended({ message: 'See https://docs.example/errors/0/attendees' })).toEqual(sent);
});

test('what a sentence says about one field does not apply to the next', () => {
  const message = 'transport.secret is required; secret is not a known property';
  expect(innerFields({ message }, { secret: 'x' })).toEqual([
    { path: ['transport', 'secret'], says: 'secret is required' },
  ]);
});

test('a path far deeper than any body is none', () => {
  const parts = ['attendees', ...Array.from({ length: 5_000 }, () => 'a')];
  const text = `${parts.join('.')} is required`;
  expect(innerFields({ details: [{ path: parts, field: parts.join('.'), message: text }] }, sent)).toEqual([]);
});

test('the name of an event is not a path of a body', () => {
  const message = 'event_types is required: a list of booking.created, lead.routed, payment.received';
  expect(innerFields({ message }, { url: 'https://example.com' })).toEqual([]);
});

test('a path from the record on, or from what contains the body, is that of a field of the body', () => {
  expect(innerFields({ errors: [{ field: 'booking.lead', text: 'Not a name' }] }, { lead: 7 })).toEqual([]);
  const message = 'body.properties.Name should be defined';
  expect(innerFields({ message }, {}, 'properties')).toEqual([]);
  expect(innerFields({ message }, {})).toMatchObject([{ path: ['properties', 'Name'] }]);
});
