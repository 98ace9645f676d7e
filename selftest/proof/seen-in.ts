/** By clause, the choices by which deployments differ in what it observes: in gaps, and a few musts and shoulds. */
export const seenIn: Readonly<Record<string, readonly string[]>> = {
  'developer.auth.precedence': ['developer-precedence'],
  'developer.auth.rotated-key': ['developer-rotated-secret'],
  'developer.auth.other-modes': ['developer-other-modes'],
  'developer.scopes.read-write': ['developer-access'],
  'developer.filters.unknown-value': ['developer-unknown-filter'],
  'developer.sandbox.reseed': ['developer-reseed'],
  'developer.keys.usage-days': ['developer-usage-days'],
  'developer.limits.header-format': ['developer-reset-format', 'developer-limit-format', 'developer-retry-after'],
  'developer.limits.window': ['developer-limiter'],
  'developer.limits.counted': ['developer-counted'],
  'developer.limits.key-or-account': ['developer-budget'],
  'workspace.errors.codes': ['workspace-error-codes'],
  'workspace.leads.history': ['workspace-wrapper', 'workspace-history'],
  'workspace.leads.filters': ['workspace-lead-filters'],
  'workspace.lists.pagination': ['workspace-list-shape'],
  'workspace.requests.content-type': ['workspace-body-type'],
  'workspace.webhooks.scheme': ['webhook-signature-key'],
  'workspace.webhooks.delivery': ['event-retries', 'event-copies', 'event-request'],
  'workspace.events.payload': ['event-payload', 'event-name'],
  'workspace.limits.header-format': ['workspace-reset-format', 'workspace-limit-format', 'workspace-retry-after'],
};

const limiters = ['limiter', 'counted', 'concurrency', 'stranger-limit'];
const lists = ['workspace-list-shape', 'workspace-list-order', 'workspace-page-size', 'workspace-stock'];

/** By clause, choices that its verdict depends on, and nothing that it observes: those that its check has to see through. */
const decidedBy: Readonly<Record<string, readonly string[]>> = {
  'developer.auth.invalid-key': ['developer-lockout', 'developer-stranger-limit'],
  'developer.keys.create': [
    'developer-key-fields',
    'developer-key-nesting',
    'developer-key-ids',
    'developer-key-texts',
  ],
  'developer.keys.list': ['developer-key-list', 'developer-key-list-hint', 'developer-key-list-age'],
  'developer.keys.delete': ['developer-delete-answer', 'developer-deleted-rows', 'developer-key-list-age'],
  'developer.keys.rotate': ['developer-rotation', 'developer-rotated-secret', 'developer-key-delay'],
  'developer.sandbox.seed': ['developer-seeding'],
  'developer.limits.per-minute': limiters.map((name) => `developer-${name}`),
  'developer.limits.recovery': ['developer-limiter'],
  'developer.limits.remaining': ['developer-limiter', 'developer-limit-format', 'developer-shown-window'],
  'workspace.auth.invalid-key': ['workspace-lockout', 'workspace-stranger-limit'],
  'workspace.agents.create': ['workspace-create-answer', 'workspace-record-style', 'workspace-ids'],
  'workspace.agents.list': lists,
  'workspace.agents.update': ['workspace-patch-answer', 'workspace-conditions', 'workspace-texts'],
  'workspace.agents.update-keeps': ['workspace-kept-fields', 'workspace-changeable'],
  'workspace.agents.delete': ['workspace-delete-answer', 'workspace-replica'],
  'workspace.leads.list': lists,
  'workspace.bookings.list': lists,
  'workspace.bookings.cancel': ['workspace-cancelled-booking', 'workspace-delete-answer'],
  'workspace.webhooks.list': lists,
  'workspace.webhooks.register': ['webhook-handshake', 'webhook-secret', 'webhook-secret-field'],
  'workspace.webhooks.signature': ['webhook-signature', 'webhook-signature-key', 'event-envelope'],
  'workspace.events.booking-created': ['event-delay', 'event-envelope', 'event-name', 'event-payload', 'event-others'],
  'workspace.limits.per-minute': limiters.map((name) => `workspace-${name}`),
  'workspace.limits.recovery': ['workspace-limiter'],
};

/** The choices that a clause has to do with: `npm run prove -- CLAUSE` runs each of their values. */
export const choicesOf = (clause: string): readonly string[] => [
  ...(seenIn[clause] ?? []),
  ...(decidedBy[clause] ?? []),
];

/** Every clause and choice that is named here. */
export const namedHere = [seenIn, decidedBy].map((table) => [Object.keys(table), Object.values(table).flat()] as const);
