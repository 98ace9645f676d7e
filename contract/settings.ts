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
  /** The value, as text, if it is not set; null if there is none. */
  readonly default: string | null;
  readonly values?: readonly string[];
  /** How a key that is given here must begin. */
  readonly prefix?: string;
}

/** Keeps name, kind and values as types: the type of the parsed settings is made of them (settings/values.ts). */
const setting = <
  const N extends string,
  const K extends Setting['kind'],
  const V extends string | null,
  const R extends Partial<Setting> = object,
>(
  name: N,
  kind: K,
  value: V,
  meaning: string,
  rest: R = {} as R,
) => ({ name, kind, default: value, meaning, ...rest });

const table = [
  setting('BASE_URL', 'origin', null, 'Origin of the developer API; its paths start with /api/v1'),
  setting('SANDBOX_API_KEY', 'secret', null, 'A svc_test_ key with all twelve scopes', { prefix: 'svc_test_' }),
  setting('LIVE_API_KEY', 'secret', null, 'A svc_live_ key with all twelve scopes', { prefix: 'svc_live_' }),
  setting('ENTERPRISE_API_KEY', 'secret', null, 'An enterprise key'),
  setting('ENTERPRISE_PER_MINUTE', 'positive', '1000', 'The requests a minute agreed for the enterprise key'),
  setting('WORKSPACE_API_URL', 'origin', null, 'Origin of the workspace API; its paths start with /v1'),
  setting('WORKSPACE_API_KEY', 'secret', null, 'A workspace key with full permission'),
  setting('WORKSPACE_SECOND_API_KEY', 'secret', null, 'A second key of the same workspace'),
  setting('WORKSPACE_LIMITED_API_KEY', 'secret', null, 'A key whose user lacks permission'),
  setting('WORKSPACE_REVOKED_API_KEY', 'secret', null, 'A revoked key'),
  setting(
    'WORKSPACE_OTHER_API_KEY',
    'secret',
    null,
    'A key of another workspace: it must see no records of this one, and a webhook made with it no events',
  ),
  setting('WORKSPACE_PLAN', 'choice', 'starter', "The workspace's plan", {
    values: ['starter', 'professional', 'enterprise'],
  }),
  setting('WEBHOOK_LISTEN', 'listen', '127.0.0.1:0', 'host:port that the webhook receiver binds'),
  setting(
    'WEBHOOK_PUBLIC_URL',
    'url',
    null,
    'The URL under which the deployment reaches that receiver (default: the bound address, for a target on loopback)',
  ),
  setting('WEBHOOK_SECRET', 'secret', null, 'The signing secret, if registration neither takes nor shows one'),
  setting('WRITES', 'choice', 'sandbox', 'Where calls that create, change or delete may be sent', {
    values: ['none', 'sandbox', 'all'],
  }),
  setting('EXHAUST', 'choice', 'own', 'Whose request budget may be used up on purpose', {
    values: ['none', 'own', 'all'],
  }),
  setting(
    'CLOCK_SPEED',
    'factor',
    '1',
    "How many times faster than real time the deployment's rate-limit windows pass (test deployments only)",
  ),
  setting(
    'KEY_SETTLE_MS',
    'count',
    '2000',
    'How long anything created, changed, rotated or deleted may take to show effect, in ms',
  ),
  setting('EVENT_WAIT_MS', 'count', '10000', 'How long to wait for an event, in ms'),
  setting(
    'STRICT',
    'choice',
    '0',
    '1 also fails the run on a broken should clause, and ends it with 2 on an inconclusive must clause',
    { values: ['0', '1'] },
  ),
  setting(
    'PROFILE',
    'file',
    null,
    'A recorded profile.json to hold the deployment against; changes are reported as drift',
  ),
  setting(
    'WAIVERS',
    'file',
    null,
    'A file of known failures: clause id, reason, expiry date; an unused or expired one fails the run',
  ),
  setting('MAX_REQUESTS', 'positive', null, 'The most requests that the run may send to each API'),
  setting(
    'TIMEOUT_MS',
    'positive',
    '30000',
    'Timeout of one exchange, in ms; a slower one is inconclusive, never a failure',
  ),
  setting(
    'BODIES',
    'file',
    null,
    'A JSON file with your own request bodies, and with the places of ids, rows and next pages (docs/settings.md)',
  ),
  setting(
    'OPENAPI',
    'file',
    null,
    "The deployment's own OpenAPI 3 documents, separated by commas: bodies and places where BODIES is silent",
  ),
  setting(
    'EXTRA_HEADERS',
    'headers',
    null,
    'A JSON object of headers that go with each call to the target, such as a bypass token of a staging proxy',
  ),
  setting('SEED', 'seed', null, 'Seed of the generated data (default: random, printed and reported)'),
  setting('REPORTS_DIR', 'folder', 'reports/latest', 'Where reports go'),
];

/** All settings, in the order in which `.env.example` and docs/settings.md list them. */
export const settings: readonly Setting[] = table;

/** One of the settings, by its own type. */
export type KnownSetting = (typeof table)[number];
