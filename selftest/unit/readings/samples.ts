/** Sentences with which deployments refuse a body. */
export const refusals: readonly unknown[] = [
  { error: { code: 'bad_request', message: 'name is required' } },
  { error: { code: 'bad_request', message: "Field 'email' is missing" } },
  { error: { code: 'bad_request', message: 'Missing required fields: name, email and phone' } },
  { error: { code: 'bad_request', message: '"agent_id" is not allowed to be empty' } },
  { error: { code: 'bad_request', message: 'Either email or phone must be given' } },
  { error: { code: 'bad_request', message: 'Unknown field "colour"' } },
  { error: { code: 'bad_request', message: 'lead.source is not a valid property' } },
  { error: { code: 'bad_request', message: 'body.lead[name] should not exist' } },
  { error: { code: 'bad_request', message: 'Unrecognised key(s) in object: `wrap`' } },
  { error: { code: 'bad_request', message: 'type must be one of: assistant, router' } },
  { error: { code: 'bad_request', message: 'Invalid channel, allowed values are ["voice", "chat"]' } },
  { error: { code: 'bad_request', message: 'status: valid options are open | closed' } },
  { error: { code: 'bad_request', message: 'one of these is wrong' } },
  { error: { code: 'bad_request', message: 'The request body must be a JSON object' } },
  { error: { code: 'bad_request', message: 'Please provide starts_at, ends_at' } },
  { error: { code: 'bad_request', message: 'url cannot be empty; events needs at least one entry' } },
  {
    error: {
      code: 'bad_request',
      message: 'invalid',
      details: [
        { field: 'name', issue: 'required' },
        { path: '/lead/email', issue: 'format' },
      ],
    },
  },
  {
    error: { code: 'bad_request', message: 'invalid', details: [{ loc: ['body', 'language'], msg: 'field required' }] },
  },
  { error: { code: 'bad_request', message: 'invalid', errors: { name: ['is required'], email: ['is not an email'] } } },
  { error: { code: 'bad_request', errors: [{ instancePath: '/agent', params: { missingProperty: 'voice' } }] } },
  {
    error: {
      code: 'bad_request',
      message: 'invalid',
      violations: [{ propertyPath: 'name' }],
      fields: ['email', 'phone'],
    },
  },
  { errors: [{ detail: 'is invalid', source: { pointer: '/data/attributes/name' } }] },
  { message: 'x'.repeat(30), field_errors: { starts_at: 'in the past', 'not an identifier': 'x' } },
  { error: null },
  null,
  [],
  'name is required',
  12,
];

/** Refusals whose body is text. */
export const refusalTexts = ['name is required', '<h1>Bad Request</h1>', '', `${'x '.repeat(1_200)} email is required`];

const uuid = '3f2a9c1e-7b64-4d0a-9e51-0c8d2b7a6f13';

/** Answers that show a record of some kind, lists of them, or neither. */
export const documents: readonly unknown[] = [
  { id: 'agt_1', name: 'Ann' },
  { agent: { id: 7, name: 'Ann' } },
  { data: { agent: { agentId: 'a1' }, id: 'request' } },
  { data: { id: uuid, key: `svc_test_${'k'.repeat(32)}` }, meta: { trace_id: uuid } },
  { data: { id: '', uid: 'u1' } },
  { data: { user_id: 'u2', key_id: 'k2', name: 'x' } },
  { data: { nested: { deep: { ID: 5 } } } },
  { data: { customerId: 'c1', keyUuid: 'k3' } },
  { data: { idle: 'no', grid: 'no' } },
  { _id: 'mongo', guid: 'other' },
  { id: 'req_1', data: { id: 'agt_2', name: 'x' } },
  { id: 'req_2', result: { name: 'x' } },
  { id: 'a', data: { id: 'b' } },
  { meta: { id: 'm' }, links: { id: 'l' }, agents: [{ id: 'a1' }, { id: 'a2' }] },
  { response: { item: { lead: { id: 3 } } } },
  { a: { b: { data: { id: 'deep' } } } },
  { AGENT: { uid: 'u' } },
  { webhook: { id: 'w', signing_secret: 'whsec_abcdefgh1234', url: 'https://a.example' } },
  { data: [], meta: {} },
  { data: { items: [{ id: 1 }, { id: 2 }], total: 2 } },
  { data: { keys: [{ id: 1 }], other: [{ id: 2 }] } },
  { data: { a: [{ id: 1 }], b: [{ id: 2 }] } },
  { data: { rows: [['a', 'b']], columns: ['x'] } },
  { data: { api_keys: [{ id: 1, scopes: [{ name: 'ads' }] }] } },
  { data: { list: [1, 2], results: [{ id: 1 }] } },
  { data: { 'a/b': { '~x': [{ id: 'esc' }] } } },
  [{ id: 'bare' }],
  { data: { count: 12, total: 7, rows: [{ id: 12 }, { n: 7 }] } },
  { data: { page: 12 } },
  { data: { id: 12, total: '12' } },
  { secret: 'abcdefghijkl', name: 'x' },
  { data: { token: 'abcdefghijklmno', key_hint: 'svc_test_…', plain: 'a b c d e f g h i' } },
  { data: { value: 'short', api_key: 'svc_live_****************', secret_key: 'longer-than-twelve-characters' } },
  { meta: { token: 'abcdefghijklmno' } },
  { data: { secret_id: 'sec_1234567890abc', password: 'svc_live_abcdefgh12345678' } },
  { data: { hmac_key: 'redacted-secret', shared_key: '12345678', signing_key: '1234567' } },
  { error: { code: 'UNAUTHORIZED', message: 'no' } },
  { error: { type: 'x', inner: { code: 'NOT_FOUND' }, text: 'not there' } },
  { error: 'NOT_FOUND' },
  { error: { code: 'not_found', n: 4 } },
  // Which of several fields is the id.
  { data: { key_id: 'k1', nested: { id: 'n1' } } },
  { data: { user_id: 'u1', key: { id: 'deep' } } },
  { data: { key_id: 'k2', id: 'i2' } },
  { data: { id: 'i3', key_id: 'k3' } },
  { data: { user_id: 'u4', key_id: 'k4', note: 'x' } },
  { data: { key: { key_id: 'k5', id: 'i5' }, ref: 'r5' } },
  { data: { id: null, uid: 'u9' } },
  { data: { client_id_type: 'oauth', xref: 'x' } },
  { data: { references: 'none', handle_text: 'x', order_ref_count: 3 } },
  { data: { handle: 'h1' } },
  { data: { order_ref: 'o1' } },
  { id: 12, name: 'x', n: 1 },
  // Which of several lists is the main one.
  { data: { tags: [{ id: 1 }], items: [{ id: 2 }] } },
  { data: { api_keys: [{ id: 1 }], keyed: { list: [{ id: 2 }] } } },
  // What is shown, and what only looks so.
  { data: { id: 12, rows: [{ id: 7 }] } },
  { data: { label: 'agt_12', code: '12ab', rows: [{ name: 'x' }] } },
  { data: { rows: [...Array.from({ length: 10 }, (_, i) => ({ id: i + 100 })), { id: 42 }] } },
  // Secrets and what looks like one.
  { data: { token: 'short', name: 'x' } },
  { data: { key_prefix: 'svc_test_abcd', key: `svc_test_${'s'.repeat(32)}`, old: 'svc_test_efgh' } },
  { data: { provider_token: 'abcdefghijklmnop' } },
  { data: { apiKey: 'abcdefghijklmnop', monkey: 'qrstuvwxyzabcdefgh' } },
  { data: { key: 'abcdefghijklmnop', keyring: 'qrstuvwxyzabcdefgh' } },
  { data: { value: 'abcdefghijklmnop', values: 'qrstuvwxyzabcdefgh' } },
  { error: {} },
  { error: { code: null, message: '' } },
  null,
  'text',
  0,
  '',
  { data: 'some text' },
  { success: true, data: null },
];

/** Moments as deployments write them. */
export const instants: readonly unknown[] = [
  '2026-01-31T08:00:00.000Z',
  '2026-01-31T08:00:00.000+00:00',
  '2026-02-30T08:00:00.000Z',
  '2026-02-29T08:00:00.000Z',
  '2024-02-29T08:00:00.000Z',
  '2026-04-31T08:00:00.000Z',
  '2026-13-01T08:00:00.000Z',
  '2026-01-01T24:00:00.000Z',
  '2026-01-01T23:59:60.000Z',
  '2026-01-31T08:00:00Z',
  '2026-01-31T08:00:00.000',
  '2026-01-31 08:00:00.000Z',
  '+002026-01-31T08:00:00.000Z',
  '2026-01-31T08:00:00.000Z[UTC]',
  '2026-01-31T08:00:00.000000Z',
  '2026-01-31T08:00:00.000+01:00',
  1_769_846_400_000,
  ['2026-01-31T08:00:00.000Z'],
  '+058026-01-31T08:00:00.000Z',
  '2026-01-31T08:00:00.000+00:00Z',
  null,
  undefined,
  ' 2026-01-31T08:00:00.000Z',
];

/** Bodies and headers of deliveries. */
export const deliveries: readonly {
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}[] = [
  { headers: [], body: '{"event":"booking.created","data":{"id":"bkg_12345678","note":"run-1"}}' },
  { headers: [['X-Event-Type', 'booking.cancelled']], body: '{"id":42,"booking":{"status":"cancelled"}}' },
  {
    headers: [['Content-Type', 'application/x-www-form-urlencoded']],
    body: 'payload=%7B%22type%22%3A%22booking.created%22%7D',
  },
  {
    headers: [['content-type', 'application/x-www-form-urlencoded; charset=utf-8']],
    body: 'type=booking.created&id=bkg_12345678',
  },
  {
    headers: [],
    body: '{"Type":"Notification","Message":"{\\"eventType\\":\\"booking.created\\",\\"id\\":\\"bkg_12345678\\"}"}',
  },
  { headers: [], body: '{"topic":"bookings/create","resource":"/v1/bookings/bkg_12345678"}' },
  { headers: [], body: '{"type":"created","object":"booking"}' },
  { headers: [], body: '{"data":{"type":"created"}}' },
  { headers: [], body: '{"name":"Ann","kind":""}' },
  {
    headers: [['X-Signature', 'booking.created']],
    body: '{"list":["booking.created"],"events":[{"event":"booking.created"}]}',
  },
  {
    headers: [
      ['User-Agent', 'booking.created'],
      ['X-Topic', ' lead.scored '],
    ],
    body: 'not JSON run-1',
  },
  { headers: [], body: 'id%3Drun-1+bkg_12345678' },
  { headers: [], body: '{"bookingId":42,"count":42,"url":"https://a.example/bkg_12345678/x","other":"run-12"}' },
  { headers: [], body: '[1,{"a":null,"b":[true,{"c":1}]}]' },
  { headers: [['content-encoding', 'gzip']], body: 'not packed' },
  { headers: [], body: '' },
  { headers: [], body: '%E0%A4%A run-1' },
  { headers: [], body: '{"x":"{not json","y":"[1,2]","z":"7"}' },
  { headers: [], body: '{"z":"null","list":["{\\"a\\":1}"],"null":null}' },
  { headers: [], body: 'text of abcd5678, x and bkg_12345678' },
  { headers: [], body: '{"idle":42}' },
  { headers: [], body: '{"prebooking":42}' },
  { headers: [], body: '{"refs":42,"b":1,"a":2}' },
  { headers: [], body: JSON.stringify({ rows: Array.from({ length: 12 }, (_, n) => ({ n })) }) },
  { headers: [], body: JSON.stringify(Object.fromEntries(Array.from({ length: 301 }, (_, n) => [`field${n}`, n]))) },
];

const named = (body: unknown, ...headers: readonly (readonly [string, string])[]): (typeof deliveries)[number] => ({
  headers,
  body: JSON.stringify(body),
});

/** Deliveries that name an event, or seem to. */
export const eventNames = [
  ...['action', 'x_action', 'actiontype', 'actionable', 'myEvent', 'myEventful', 'status'].map((name) =>
    named({ [name]: 'lead.scored' }),
  ),
  ...['type', 'subtype', 'typed', 'eventtype', 'eventname', 'Topic'].map((name) => named({ [name]: 'created' })),
  ...['1 lead.scored', 'lead.scored 1', 'lead.scored.twice', ''].map((action) => named({ action })),
  ...['code1', '1st', 'code'].map((name) => named({ [name]: 'booking.created' })),
  named({ list: ['booking.created'] }),
  named({ list: [...'abcdefghij', 'booking.created'] }),
  named({ type: 5 }),
  named({ type: '' }),
  named({ type: 'x'.repeat(100) }),
  named({ type: 'x'.repeat(101) }),
  named({ subject: 'bookings/create', type: 'booking.created' }),
  named({ id: 1 }, ['Content-Type', 'application/json']),
  named({ id: 1 }, ['X-Content-Type', 'booking.created']),
  named({ id: 1 }, ['Host-Event', 'booking.created']),
];

/** A text in which the words of a run stand, or not. */
export const wordings = [
  'run-1',
  'Run-1.',
  'a run-12',
  'run-1_x',
  'xrun-1',
  '(run-1)',
  'https://a.example/run-1?x',
  '',
];

/** Errors of one run, by status. */
export const errorsSeen: readonly (readonly [number, unknown])[] = [
  [404, { z: 'NOT_FOUND', note: 'not there' }],
  [401, { code: 'UNAUTHORIZED', text: 'no key' }],
  [404, { code: 'NOT_FOUND', b: 'not there' }],
  [200, { code: 'OK', c: 'all is well' }],
];

type Limited = readonly [status: number, remaining: string | null];

/** Two answers of one key, one after the other. */
export const remainders: readonly (readonly [before: Limited, after: Limited])[] = [
  [
    [200, '10'],
    [200, '9'],
  ],
  [
    [200, '10'],
    [200, '6'],
  ],
  [
    [200, '1'],
    [200, '59'],
  ],
  [
    [200, '0'],
    [200, '0'],
  ],
  [
    [200, null],
    [200, '9'],
  ],
  [
    [200, '10'],
    [200, null],
  ],
  [
    [401, '10'],
    [200, '9'],
  ],
  [
    [200, '10'],
    [429, '0'],
  ],
  [
    [200, '-'],
    [200, '-'],
  ],
];

/** The same where the key lacks a scope. */
export const forbiddens: readonly (readonly [before: Limited, after: Limited])[] = [
  [
    [403, '10'],
    [403, '9'],
  ],
  [
    [403, '10'],
    [403, '10'],
  ],
  [
    [403, '1'],
    [403, '59'],
  ],
  [
    [200, '10'],
    [403, '9'],
  ],
  [
    [403, '10'],
    [200, '9'],
  ],
  [
    [403, null],
    [403, '9'],
  ],
  [
    [403, '10'],
    [403, null],
  ],
];

/** Calls of a run: the key, when, and the three headers. */
export type HeaderRun = readonly (readonly [
  key: string,
  at: number,
  limit: string | null,
  remaining: string | null,
  reset: string | null,
])[];

export const headerRuns: readonly HeaderRun[] = [
  [
    ['a', 0, '60', '59', '60'],
    ['b', 10, '120', '119', '60'],
    ['b', 3_000, '120', '118', '57'],
    ['unknown', 20, '9', '9', '9'],
    ['unknown', 20, '9', '9', '9'],
    ['unknown', 20, '9', '9', '9'],
  ],
  [
    ['a', 0, '60', '59', null],
    ['a', 10, '60', null, '1769846400'],
    ['b', 2_500, '60;w=60', '58', '1769846400'],
    ['b', 6_000, '60;w=60', '57', '1769846400'],
  ],
  [['a', 0, '60', '59', null]],
  [
    ['a', 0, '60', '59', '12345'],
    ['a', 4_000, '60', '58', '123456'],
  ],
];
