import { expect, test } from 'vitest';
import type { Kind } from '../../../../../../fixtures/workspace-bodies.ts';
import { bodyOf, firstRecipe, revisions } from '../../../../../../suites/workspace/support/records/recipes.ts';

const slot = { start: new Date('2026-03-02T15:00:00Z'), end: new Date('2026-03-02T15:30:00Z') };
const context = { seed: 1, tag: 'run-1', number: 1, slot, leadId: 7, url: 'http://127.0.0.1/x' };

const bodiesAfter = (kind: Kind, message: string): readonly unknown[] =>
  revisions(kind, firstRecipe, { context, answer: { json: { error: { message } }, text: '' } }).map(
    (recipe) => bodyOf(kind, recipe, context).body,
  );

test.each(['agent', 'properties', 'data'])('a body goes into %s if that is missing', (name) => {
  const { body } = bodyOf('agents', firstRecipe, context);
  expect(bodiesAfter('agents', `${name} is required`)[0]).toEqual({ [name]: body });
});

test('a wrapper of the fields that is still refused as missing may contain a list of them', () => {
  const recipe = { ...firstRecipe, wrapper: { name: 'data', isList: false, beside: [] } };
  const [next = firstRecipe] = revisions('leads', recipe, {
    context,
    answer: { json: { error: { field: 'data' } }, text: '' },
  });
  expect(bodyOf('leads', next, context).body).toEqual({ data: [bodyOf('leads', firstRecipe, context).body] });
});

test('a possible wrapper of the fields may also be a field next to them', () => {
  expect(bodiesAfter('agents', 'properties is required')[1]).toMatchObject({
    name: expect.any(String),
    properties: expect.any(Object),
  });
});

test('a body refers to a record by its id as the API showed it', () => {
  expect(bodiesAfter('bookings', 'lead is required')[0]).toMatchObject({ lead: 7 });
});

test.each<[Kind, string, unknown]>([
  ['bookings', 'lead_sid', 7],
  ['bookings', 'leadRef', 7],
  ['bookings', 'party_id', 7],
  ['bookings', 'meeting_start_time', '2026-03-02T15:00:00Z'],
  ['webhooks', 'request_url', 'http://127.0.0.1/x'],
  ['webhooks', 'webhookCallbackUrl', 'http://127.0.0.1/x'],
])('in %s, the meaning of %s is read from the words of its name', (kind, field, value) => {
  expect(bodiesAfter(kind, `${field} is required`)[0]).toMatchObject({ [field]: value });
});

test.each([
  ['type must be one of booking.created, booking.cancelled', { type: 'booking.created' }],
  ['hooks must only contain: BOOKING_CREATED, LEAD_ROUTED', { hooks: expect.arrayContaining(['BOOKING_CREATED']) }],
])('a webhook asks for events in one field, as they are spelled there: %s', (message, asked) => {
  const fields = Object.keys(asked).includes('hooks') ? { hooks: ['x'] } : {};
  const { changes, ...recipe } = firstRecipe;
  const start = { ...recipe, changes: [...changes, ...Object.entries(fields).map(([set, value]) => ({ set, value }))] };
  const [next = firstRecipe] = revisions('webhooks', start, {
    context,
    answer: { json: { error: { message } }, text: '' },
  });
  const { body } = bodyOf('webhooks', next, context);
  expect(body).toMatchObject(asked);
  expect(body).not.toHaveProperty('events');
});

test.each([
  'url must be a valid URL',
  'url must be a valid URL, for example https://hooks7.acme.com/in',
  'url must be one of: https://hooks.acme.com/in, https://hooks.acme.com/out',
  'logo_uri must be a valid URL',
])('a webhook sends its events to nobody but the run: %s', (message) => {
  const urls = bodiesAfter('webhooks', message).flatMap((body) => JSON.stringify(body).match(/\w+:\/\/[^"]*/g) ?? []);
  expect(new Set(urls)).toEqual(new Set(['http://127.0.0.1/x']));
});

test('a webhook asks for its events in one text where that is wanted', () => {
  const message = "The value of 'changeType' must be a comma-separated list of: booking.created, booking.cancelled";
  const start = { ...firstRecipe, changes: [{ set: 'changeType', value: 'x' }] };
  const [next = firstRecipe] = revisions('webhooks', start, { context, answer: { json: { message }, text: '' } });
  const { changeType } = bodyOf('webhooks', next, context).body;
  expect(String(changeType).split(',')).toEqual(expect.arrayContaining(['booking.created', 'booking.cancelled']));
});

test('a field that the wrapper does not take may be beside it', () => {
  const wrapper = { name: 'properties', isList: false, beside: [] };
  const start = { ...firstRecipe, wrapper, changes: [{ set: 'associations', value: {} }] };
  const message = 'Property "associations" does not exist';
  const [next = firstRecipe] = revisions('bookings', start, { context, answer: { json: { message }, text: '' } });
  const { body } = bodyOf('bookings', next, context);
  expect(Object.keys(body)).toEqual(['properties', 'associations']);
  expect(body.properties).not.toHaveProperty('associations');
});
