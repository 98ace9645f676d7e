/** One setting: an environment variable, or a line with the same name in `.env`. */
export interface Setting {
  readonly name: string;
  readonly meaning: string;
  readonly kind:
    | 'origin'
    | 'url'
    | 'secret'
    | 'choice'
    | 'count'
    | 'positive'
    | 'file'
    | 'folder'
    | 'listen'
    | 'factor'
    | 'seed'
    | 'headers';
  /** The value, as text, if it is not set. */
  readonly default?: string;
  readonly values?: readonly string[];
  /** How a key that is given here must begin. */
  readonly prefix?: string;
}

/** Keeps name, kind, default and values as types: the type of the parsed settings is made of them (settings/values.ts). */
const setting = <const N extends string, const K extends Setting['kind'], const R extends Partial<Setting> = object>(
  name: N,
  kind: K,
  meaning: string,
  rest: R = {} as R,
) => ({ name, kind, meaning, ...rest });

const table = [
  setting('BASE_URL', 'origin', 'Origin of the developer API; its paths start with /api/v1'),
  setting('SANDBOX_API_KEY', 'secret', 'A svc_test_ key with all twelve scopes', { prefix: 'svc_test_' }),
  setting('LIVE_API_KEY', 'secret', 'A svc_live_ key with all twelve scopes', { prefix: 'svc_live_' }),
  setting('ENTERPRISE_API_KEY', 'secret', 'An enterprise key'),
  setting('ENTERPRISE_PER_MINUTE', 'positive', 'The requests a minute agreed for the enterprise key', {
    default: '1000',
  }),
  setting('WORKSPACE_API_URL', 'origin', 'Origin of the workspace API; its paths start with /v1'),
  setting('WORKSPACE_API_KEY', 'secret', 'A workspace key with full permission'),
  setting('WORKSPACE_SECOND_API_KEY', 'secret', 'A second key of the same workspace'),
  setting('WORKSPACE_LIMITED_API_KEY', 'secret', 'A key whose user lacks permission'),
  setting('WORKSPACE_REVOKED_API_KEY', 'secret', 'A revoked key'),
  setting(
    'WORKSPACE_OTHER_API_KEY',
    'secret',
    'A key of another workspace: it must see no records of this one, and a webhook made with it no events',
  ),
  setting('WORKSPACE_PLAN', 'choice', "The workspace's plan", {
    default: 'starter',
    values: ['starter', 'professional', 'enterprise'],
  }),
  setting('WEBHOOK_LISTEN', 'listen', 'host:port that the webhook receiver binds', { default: '127.0.0.1:0' }),
  setting(
    'WEBHOOK_PUBLIC_URL',
    'url',
    'The URL under which the deployment reaches that receiver (default: the bound address, for a target on loopback)',
  ),
  setting('WEBHOOK_SECRET', 'secret', 'The signing secret, if registration neither takes nor shows one'),
  setting('WRITES', 'choice', 'Where calls that create, change or delete may be sent', {
    default: 'sandbox',
    values: ['none', 'sandbox', 'all'],
  }),
  setting('EXHAUST', 'choice', 'Whose request budget may be used up on purpose', {
    default: 'own',
    values: ['none', 'own', 'all'],
  }),
  setting(
    'CLOCK_SPEED',
    'factor',
    "How many times faster than real time the deployment's rate-limit windows pass (test deployments only)",
    { default: '1' },
  ),
  setting(
    'KEY_SETTLE_MS',
    'count',
    'How long anything created, changed, rotated or deleted may take to show effect, in ms',
    { default: '2000' },
  ),
  setting('EVENT_WAIT_MS', 'count', 'How long to wait for an event, in ms', { default: '10000' }),
  setting(
    'STRICT',
    'choice',
    '1 also fails the run on a broken should clause, and ends it with 2 on an inconclusive must clause',
    { default: '0', values: ['0', '1'] },
  ),
  setting('PROFILE', 'file', 'A recorded profile.json to hold the deployment against; changes are reported as drift'),
  setting(
    'WAIVERS',
    'file',
    'A file of known failures: clause id, reason, expiry date; an unused or expired one fails the run',
  ),
  setting('MAX_REQUESTS', 'positive', 'The most requests that the run may send to each API'),
  setting('TIMEOUT_MS', 'positive', 'Timeout of one exchange, in ms; a slower one is inconclusive, never a failure', {
    default: '30000',
  }),
  setting(
    'BODIES',
    'file',
    'A JSON file with your own request bodies, and with the places of ids, rows and next pages (docs/settings.md)',
  ),
  setting(
    'OPENAPI',
    'file',
    "The deployment's own OpenAPI 3 documents, separated by commas: bodies and places where BODIES is silent",
  ),
  setting(
    'EXTRA_HEADERS',
    'headers',
    'A JSON object of headers that go with each call to the target, such as a bypass token of a staging proxy',
  ),
  setting('SEED', 'seed', 'Seed of the generated data (default: random, printed and reported)'),
  setting('REPORTS_DIR', 'folder', 'Where reports go', { default: 'reports/latest' }),
];

/** All settings, in the order in which `.env.example` and docs/settings.md list them. */
export const settings: readonly Setting[] = table;

/** One of the settings, by its own type. */
export type KnownSetting = (typeof table)[number];
