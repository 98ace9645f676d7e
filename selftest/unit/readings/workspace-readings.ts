import type { Kind } from '../../../fixtures/workspace-bodies.ts';
import type { Answer } from '../../../suites/session/answer.ts';
import { idIn, isRecord, mentions, recordIn } from '../../../suites/session/record.ts';
import { nounOf } from '../../../suites/shared/collections.ts';
import { stateOf, tellsCancelled } from '../../../suites/workspace/bookings.ts';
import { cameInstead } from '../../../suites/workspace/events.ts';
import { historyIn } from '../../../suites/workspace/leads.ts';
import { changesOf, shows } from '../../../suites/workspace/support/changes.ts';
import { complaintOf } from '../../../suites/workspace/support/complaint.ts';
import { bodyOf, firstRecipe, type Recipe, revisions } from '../../../suites/workspace/support/guess.ts';
import { askersOf, type Listener } from '../../../suites/workspace/support/listeners.ts';
import {
  asksFor,
  type Registration,
  secretsOf,
  webhookNames,
} from '../../../suites/workspace/support/registrations.ts';
import type { Received } from '../../../webhooks/inbox/inbox.ts';
import { bookingsShown, moreDocuments, moreRefusals, structuredRefusals, views } from './workspace-samples.ts';

// What the workspace suite reads out of answers and makes of them, where the reference answers in too few ways to tell.

const answer = (json: unknown, status = 400): Answer =>
  ({
    status,
    json,
    text: JSON.stringify(json),
    header: () => null,
    unredacted: (read: (body: { json: unknown }) => unknown) => read({ json }),
  }) as unknown as Answer;
const each =
  <T>(samples: readonly T[], read: (sample: T) => unknown) =>
  (): unknown[] =>
    samples.map(read);
const kinds: readonly Kind[] = ['agents', 'leads', 'bookings', 'webhooks'];
const tag = 'run-1';

const context = {
  seed: 3,
  tag,
  number: 2,
  now: Date.UTC(2026, 0, 31),
  agentId: 'agt_1',
  leadId: 'lead_1',
  url: 'https://a.example/run-1',
  secret: 'whsec_abcdefgh1234',
};
const recipes: readonly Recipe[] = [
  firstRecipe,
  { variant: 1, wrap: 'record', changes: [] },
  {
    variant: 2,
    wrap: null,
    changes: [
      { drop: 'name' },
      { set: 'phone', form: 1 },
      { set: 'plan', value: 'gold' },
      { set: 'topic', value: 'x' },
    ],
  },
  { variant: 3, wrap: null, changes: [] },
  {
    variant: 0,
    wrap: null,
    changes: [
      { set: 'phone', form: 1 },
      { set: 'phone', value: 'x' },
      { set: 'events', form: 1 },
      { set: 'lead', value: 'x' },
      { set: 'topic', value: 'x' },
    ],
  },
];
/** Refusals of fields that are sent and of others, known and unknown; the first few meet every recipe. */
const asked: Readonly<Record<Kind, readonly string[]>> = {
  agents: [
    '"agent" and "name" are required',
    'language must be one of: fr',
    'language must be one of: en',
    'type is required',
  ],
  leads: [
    'phone is invalid',
    'lead is required',
    'events is required',
    'Unknown field "phone"',
    'Unknown field "colour"',
    'colour is required',
    'lead must be one of: gold',
    'status must be one of: bookings',
    'notes is invalid',
    'source is required',
    'colour must be one of: red',
  ],
  bookings: ['lead_id is required', 'start_time is invalid', 'booking is required'],
  webhooks: [
    'event_types is required',
    'events is invalid',
    'url is required',
    'events must be one of: booking.created',
    'topic must be one of: bookings',
    'Unknown field "event_types"',
    'trigger is required',
    'event_things must be one of: x',
  ],
};
const whenRefused = (kind: Kind, recipe: Recipe): unknown =>
  asked[kind]
    .slice(0, recipe === firstRecipe ? undefined : 3)
    .map((message) => revisions(kind, recipe, context, answer({ error: { message } })));

const ours = {
  name: 'Ann run-1',
  notes: 'For run-1, by hand',
  contact: { name: 'Ann run-1' },
  phone: '+1',
  score: 3,
  email: 'run-1@example.com',
  list: ['run-1'],
};
const delivery = (receivedAt: number, body: unknown): Received =>
  ({ receivedAt, headers: [], body: Buffer.from(JSON.stringify(body)) }) as unknown as Received;
const hook = (body: unknown, rest: Partial<Registration> = {}): Registration =>
  ({
    name: 'x',
    url: 'u',
    mailbox: null,
    chosen: 'whsec_chosen1234',
    attempt: { body, answer: answer({}, 201) },
    ...rest,
  }) as unknown as Registration;
const bodies: readonly unknown[] = [
  {},
  { events: ['booking.created'] },
  { events: ['booking.*'] },
  { events: ['*'] },
  { events: ['lead:*', 7] },
  { events: ['booking.cancelled', 'x'] },
  { event: 'booking.created', url: 'https://a.example/*' },
  { topic: 'bookings/*' },
  { events: ['*.created'] },
  { events: ['booking.*', 'and more'] },
  { events: ['Booking.*'] },
  { events: ['a.b*'] },
  { events: ['booking*'] },
  { filter: 'b.*' },
  { filter: '*x' },
  { filter: ['booking_*'] },
  { events: ['*', 'booking.cancelled'] },
];
type Asking = readonly [name: keyof typeof webhookNames, body: unknown];
const hooks = (asking: readonly Asking[]): Listener[] =>
  asking.map(([name, body]) => hook(body, { name: webhookNames[name] }) as unknown as Listener);
const one = (...events: readonly string[]): unknown => ({ events });
const askers = (...list: readonly Asking[]): unknown =>
  (['booking.created', 'booking.cancelled'] as const).map((kind) => {
    try {
      return askersOf(hooks(list), kind).map(({ name }) => name);
    } catch (error) {
      return (error as Error).constructor.name;
    }
  });

/** Each reading of all its samples. */
export const workspaceReadings: Readonly<Record<string, () => unknown>> = {
  'further complaints about a body': each([...moreRefusals, ...structuredRefusals], (json) => {
    const { allowed, ...rest } = complaintOf(answer(json));
    return { ...rest, allowed: [...allowed] };
  }),
  'bodies of recipes': () =>
    kinds.map((kind) =>
      recipes.map((recipe) =>
        Object.entries(bodyOf(kind, recipe, context)).map(([name, body]) => [
          name,
          Object.keys(body),
          Object.keys(body[recipe.wrap ?? ''] ?? {}),
          body.phone,
          body.plan,
        ]),
      ),
    ),
  'recipes after a refusal': () =>
    kinds.map((kind) =>
      recipes
        .slice(0, kind === 'leads' || kind === 'webhooks' ? undefined : 1)
        .map((recipe) => whenRefused(kind, recipe)),
    ),
  'further records and their ids': () => [
    kinds.map((kind) => moreDocuments.map((json) => [recordIn(json, nounOf(kind)), idIn(json, nounOf(kind))])),
    moreDocuments.map((json) => [
      isRecord(Object(json), 'agent', { id: 'a', tag: 'Ann' }),
      isRecord(Object(json), 'agent', { id: undefined, tag: 'Ann' }),
      mentions(json, '7'),
      mentions(json, 'Ann'),
    ]),
  ],
  'changes of a record': () =>
    [
      [],
      [{ note: ' for  RUN-1, by hand ' }],
      [{ email: 'run-1@example.com' }, { x: 'Ann run-1' }],
      [{ x: ['+1', 3] }],
    ].flatMap((shown) => [null, 'lead'].map((wrap) => changesOf({ fields: ours, tag, wrap }, shown))),
  'whether a change shows': () =>
    ['Ann  B', 'straße', 'STRASSE', ' x ', 3, true, 'true', false].map((wanted) =>
      [
        { a: 'ann b' },
        { a: ['The ANN\n b!'] },
        { a: 'strasse' },
        { a: 'ax  y' },
        { n: 3 },
        { n: '3' },
        { n: 33 },
        { b: true },
        { b: 'true' },
        {},
      ].map((json) => shows(json, wanted)),
    ),
  'the history of a lead': each(views, (json) => historyIn({ json })),
  'the state of a booking': each(bookingsShown, (booking) => [stateOf(booking), tellsCancelled(booking)]),
  'what comes in place of an announcement': () =>
    ['bkg_2', '7', '7-bkg_2'].flatMap((id) =>
      [
        [],
        [
          { id: 'bkg_1', tag: 'other' },
          { id: 'bkg_0', tag: 'else' },
        ],
        [{ id: null, tag: 'third' }],
      ].map((made) => {
        const announcement = { kind: 'booking.created', since: 10, booking: { id, tag } } as unknown as Parameters<
          typeof cameInstead
        >[0];
        const came = [9, 10, 11].flatMap((at) =>
          [
            { type: 'booking.created', id: 'bkg_2' },
            { type: 'booking.created' },
            { type: 'booking.created', data: { id: 'bkg_1' } },
            { type: 'booking.created', data: { id: 'bkg_9' } },
            { type: 'booking.created', note: 'not bkg_' },
            { type: 'booking.created', note: 'third' },
            { type: 'booking.created', n: 7 },
            { type: 'booking.cancelled' },
            { type: 'booking.cancelled', id: 'bkg_2' },
            { type: 'booking.created', data: { id: 'b_1', n: 'A1bkg_' } },
          ].map((body) => delivery(at, body)),
        );
        const { about, nameless } = cameInstead(
          announcement,
          came,
          made.map(({ id, tag: words }) => ({ tag: words, ...(id === null ? {} : { id }) })),
        );
        return [about, nameless].map((list) => list.map((item) => came.indexOf(item)));
      }),
    ),
  'events that a registration asks for': each(bodies, (body) =>
    (['booking.created', 'booking.cancelled', 'lead.routed'] as const).map((kind) => asksFor(hook(body), kind)),
  ),
  'webhooks that an event is looked for at': () => [
    askers(['first', one('*')], ['second', one('*')], ['selective', one('booking.cancelled')], ['unselective', {}]),
    askers(['first', one('booking.created')], ['selective', one('booking.cancelled')], ['unselective', {}]),
    askers(['first', one('lead.routed')], ['unselective', {}]),
    askers(['second', {}], ['unselective', {}]),
    askers(['first', one('booking.created')], ['second', one('booking.cancelled')]),
    askers(),
  ],
  'secrets that deliveries may be signed with': () => {
    const session = (secret?: string): Parameters<typeof secretsOf>[0] =>
      ({ settings: { WEBHOOK_SECRET: secret } }) as unknown as Parameters<typeof secretsOf>[0];
    const registered = (
      body: unknown,
      shown: unknown,
      status = 201,
      handshakes: readonly unknown[] | null = null,
    ): Registration =>
      hook(body, {
        attempt: { body, answer: answer(shown, status) },
        mailbox: handshakes === null ? null : { handshakes },
      } as unknown as Partial<Registration>);
    const sent = { secret: 'whsec_chosen1234' };
    return [undefined, 'whsec_dashboard12'].flatMap((secret) =>
      [
        registered(sent, {}),
        registered({}, {}),
        registered(sent, sent),
        registered({}, { secret: 'whsec_shown12345' }),
        registered(sent, { secret: 'whsec_shown12345', signing_secret: 'whsec_shown12345' }),
        registered(sent, sent, 400),
        registered(sent, {}, 201, [{}, { secret: 'whsec_handed1234' }]),
        registered({}, {}, 201, []),
        registered(sent, { secret: 'whsec_shown12345' }, 201, [{ secret: 'whsec_chosen1234' }]),
      ].map((one) => secretsOf(session(secret), one)),
    );
  },
};
