/** Refusals of a body, in words that the reference never uses. */
export const moreRefusals: readonly unknown[] = [
  'colour should not exist', 'colour should  not exist', 'shade is not a valid field', 'shade is not a property', 'shade was an extra input', 'shade: extraneous', 'an unsupported field: shade',
  'No such field: shade', 'Lead does not have shade', 'shade is not permitted', 'additional property shade', 'unrecognized shade', 'unexpected "shade"',
  'plan must be one of gold, silver', '"plan" one of:gold', '"plan" allowed value: gold', '"plan" allowed values: gold', '"plan" allowed values are gold', '"plan" valid value: gold', '"plan" valid values (gold', '"plan" valid values are: [gold',
  '"plan" valid option {gold', '"plan" valid options: \'gold', '"plan" valid options are "gold"', 'valid options are gold for "plan"', '"plan" neither, but either gold', 'plan may be either gold or silver', 'Either plan  or  tier is required', 'One of these: plan. Allowed: gold',
  'Missing: plan,  tier and  seats', 'body.lead..plan is required', '/lead/plan/ is required', 'fielding is required', 'afield must be set', 'Enumeration of: plan', 'plan must be either: gold', 'a, b or c can\'t be empty',
  'Missing: name, email, phone, company, notes, source, status, stage, owner, region, budget, size, plan, tier', 'value is required', 'option must be set', 'options must be set',
].map((message) => ({ error: { code: 'bad_request', message } }));

export const structuredRefusals: readonly unknown[] = [
  { error: { my_errors: { plan: ['x'] }, errors_of: { tier: ['y'] }, fields: { seats: 'z' } } },
  { error: { field: 7, path: ['plan', 2], required: ['tier'] }, fieldset: { owner: 'x' } },
  { error: { pointer: '/lead/plan/', path: '/' } }, { error: { parameters: 'plan', param: 'tier', 'a/path': 'size' } },
  { errors: { name: 'x', lead: { email: 'y' } } },
];

/** Objects that show a record, or several, in ways that no reference does. */
export const moreDocuments: readonly unknown[] = [
  { meta: { agent: { id: 'm' } }, data: { id: 'd', name: 'x' } }, { metadata: { agent: { id: 'x' } }, name: 'n' }, { submeta: { agent: { id: 'y' } } }, { error_log: { agent: { id: 'z' } } },
  { items: [{ agent: { id: 'i1' } }], id: 'r' }, { items: Array.from({ length: 12 }, (_, i) => ({ n: i, ...(i > 9 ? { agent: { id: `late${i}` } } : {}) })), id: 'r' },
  { v2: { agent: { id: 'v' } } }, { '2x': { agent: { id: 'w' } } }, { outer: { data: { id: 'in', name: 'n' } } }, { outer: { inner: { data: { id: 'deep', name: 'n' } } } },
  { customer_id: 'c1', data: { name: 'x' } }, { idx_id: 'i1', data: { name: 'x' } }, { agent_id: 'a', data: { name: 'x' } }, { AGENT_ID: 'a', data: { name: 'x' } }, { agent_settings: { id: 's1' }, data: { name: 'x' } },
  { id: 'r1', data: { name: 'x', size: 2 } }, { id: 'r1', result: { uid: 'u1', name: 'x' } }, { id: 'r1', item: { my_agent_id: 'u1', name: 'x' } }, { owner: { id: 'o1' }, title: 'x' }, { name: 'Ann' }, { name: 'Bob', age: 7 },
];

const listOf = (...rows: readonly unknown[]): unknown => ({ id: 'l1', rows });

/** Detail views of leads, with a history or without. */
export const views: readonly unknown[] = [
  { id: 'l1', history: [] }, { id: 'l1', history: null }, { id: 'l1', history: 'none' }, { id: 'l1', lead_log: [] }, { id: 'l1', logbook: {} }, { id: 'l1', logs: [] }, { id: 'l1', logo: { url: 'x' } }, { id: 'l1', blog_url: {} },
  { id: 'l1', Timeline: { of: 1 } }, { data: { activities: [] } }, listOf({ at: '2026-01-31T08:00:00Z', what: 'x' }), listOf({ at: '2026-01-31', what: 'x' }, { what: 'y' }), listOf({ at: 1_769_846_400 }), listOf({ n: 1e9 }), listOf({ n: '2000000000' }),
  listOf({ n: 12, what: 'on 2026-01-31' }), listOf({ code: '31-01-2026' }), listOf({ code: 'abcd-01-31' }), listOf({ code: '2026-1-31' }), listOf({ code: '2026-01' }), listOf({ at: ['2026-01-31'] }), listOf({ at: { n: 2e9 } }), listOf(),
  [{ at: '2026-01-31T08:00:00Z' }], listOf(['2026-01-31']), listOf({ b: '2026-x1-31' }), listOf({ b: '2026-01-x1' }), listOf({ b: '2026-0x-31' }), listOf({ b: '2026-01-3x' }), null,
];

/** Bookings as lists and answers show them. */
export const bookingsShown: readonly (Record<string, unknown> | undefined)[] = [
  { id: 'b', status: 'scheduled' }, { id: 'b', state: 'open' }, { booking_status: 'scheduled' }, { bookingState: 'scheduled' }, { Status: 'Canceled' }, { status: 3 }, { status: null, state: 'open' }, { attendee: { status: 'accepted' } },
  { substatus: 'x' }, { status_text: 'x' }, { is_cancelled: true }, { is_cancelled: false }, { cancelled_at: null }, { cancelled_at: '2026-01-31' }, { cancellation: { reason: 'ill' } }, { title: 'To be cancelled', status: 'scheduled' },
  { notes: ['x', 'canceled by phone'] }, { cancelled: 0 }, {}, undefined,
];

/** Keys as deployments give them, of forms that are told apart. */
export const workspaceKeys: readonly string[] = [
  'wsk_6IlsJq3C28e70hxqAAAABBBBCCCCDDDDEEEEFFFF', 'wsk_live_6IlsJq3C28e70hxq', 'wsk_0123456789abcdef0123456789abcdef', 'wsk_0123456789ABCDEF0123456789ABCDEF', 'plainsecretwithoutanyprefix', '0123456789abcdef',
  'wsk_ZZZZZZZZZZZZZZZZZZZZZZZZf', 'wsk_ZZZZZZZZZZZZZZZZZZZZZZZZ+', 'wsk_ZZZZZZZZZZZZZZZZZZZZZZZZ/', 'wsk_ZZZZZZZZZZZZZZZZZZZZZZZZ=', 'wsk_ZZZZZZZZZZZZZZZZZZZZZZZZ_', 'wsk-ZZZZZZZZZZZZZZZZZZZZZZZZ9', 'wsk_ZZZZZZZZZZZZZZZZZZZZZZZZA',
  'wsk_ZZZZZZZZZZZZZZZZZZZZZZZZe', 'wsk_ZZZZZZZZZZZZZZZZZZZZZZZZP', 'wsk_ZZZZZZZZZZZZZZZZZZZZZZZZo', 'wsk_ZZZZZZZZZZZZZZZZZZZZZZZZ5', 'wsk_ZZZZZZZZZZZZZZZZZZZZZZZZu', 'wsk_ZZZZZZZZZZZZZZZZZZZZZZZZv', 'workspace_key_ab', 'averyveryverylongprefix_abc',
  'a_b_c_d_e_f_0123456789', 'ws_live_x1_secretsecretsecret', 'abc_wxyz', 'x', '', 'é_secretsecret!', 'eyJhbGciOi.eyJzdWIi.SflKxw-RJS_Mk', 'wsk_abc_0011223344zz', 'wsk_zz_00112233',
];
