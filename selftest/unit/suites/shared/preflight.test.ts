import { expect, test } from 'vitest';
import { CannotRun } from '../../../../common/cannot-run.ts';
import { TransportFailure } from '../../../../common/transport-failure.ts';
import { parseSettings } from '../../../../settings/settings.ts';
import { targetsOf } from '../../../../settings/target.ts';
import type { WireRequest, WireResponse } from '../../../../suites/session/transport/transport.ts';
import { preflight } from '../../../../suites/shared/preflight.ts';
import { createVirtualClock, type VirtualClock } from '../../../virtual-clock.ts';
import { testSession } from '../../test-session.ts';

const sandbox = 'svc_test_given0123456789';
const live = 'svc_live_given0123456789';
const workspaceKey = 'wsk_given0123456789';

type Answer = (request: WireRequest, clock: VirtualClock) => WireResponse | Promise<WireResponse>;

const json = (status: number, body: unknown = { success: status < 300, data: {} }): WireResponse => ({
  status,
  headers: [['Content-Type', 'application/json']],
  body: Buffer.from(JSON.stringify(body)),
});
const page = (status: number): WireResponse => ({
  status,
  headers: [['Content-Type', 'text/html; charset=utf-8']],
  body: Buffer.from('<html><title> Welcome\nto nginx </title>'),
});
const fails =
  (...args: ConstructorParameters<typeof TransportFailure>): Answer =>
  () => {
    throw new TransportFailure(...args);
  };

interface Outcome {
  readonly complaint: string | null;
  readonly sent: readonly string[];
  readonly took: number;
}

/** Runs the preflight of one API on a virtual clock, with the given answers. */
async function inspect(answer: Answer, env: Record<string, string> = {}): Promise<Outcome> {
  const settings = parseSettings({
    BASE_URL: 'https://api.example',
    SANDBOX_API_KEY: sandbox,
    TIMEOUT_MS: '1000',
    ...env,
  });
  const [target] = targetsOf(settings);
  if (!target) {
    throw new Error('No target');
  }
  const clock = createVirtualClock();
  const began = clock.now();
  const sent: string[] = [];
  const session = testSession(target.api, {
    origin: target.origin,
    settings,
    clock,
    transport: async (request) => {
      sent.push(`${request.method} ${request.url.replace(target.origin, '')}`);
      return answer(request, clock);
    },
  });
  const complaint = await preflight(session).then(
    () => null,
    (error: unknown) => {
      expect(error).toBeInstanceOf(CannotRun);
      return (error as Error).message;
    },
  );
  return { complaint, sent, took: clock.now() - began };
}

const late: Answer = async (_request, clock) => {
  await clock.sleep(1_000);
  throw new TransportFailure('timeout', 'No complete answer within 1000 ms');
};

test.for<[string, Answer, RegExp]>([
  [
    'is down',
    fails('refused', 'Connection refused'),
    /^Cannot reach BASE_URL https:\/\/api\.example: Connection refused; start the deployment, or correct BASE_URL$/,
  ],
  ['does not answer in time', late, /BASE_URL .*No complete answer.*TIMEOUT_MS/],
  [
    'has an unknown certificate',
    fails('tls', 'TLS fails: self-signed certificate (DEPTH_ZERO_SELF_SIGNED_CERT)'),
    /BASE_URL .*TLS fails: self-signed.*NODE_EXTRA_CA_CERTS/,
  ],
  [
    'shows a page',
    () => page(200),
    /developer API at BASE_URL .*200 with an HTML page titled "Welcome to nginx".*serves \/api\/v1$/,
  ],
  ['shows a page that asks for a login', () => page(401), /401 with an HTML page/],
  [
    'answers plain text',
    () => ({ status: 200, headers: [['Content-Type', 'text/plain']], body: Buffer.from('ok') }),
    /200 with no JSON \(text\/plain: ok\)/,
  ],
  [
    'redirects to another host',
    ({ url }) => ({ status: 308, headers: [['Location', url.replace('//', '//www.')]], body: Buffer.alloc(0) }),
    /; set BASE_URL to https:\/\/www\.api\.example$/,
  ],
  [
    'refuses the key',
    () => json(401),
    /^Cannot use SANDBOX_API_KEY: svc_test_… is refused with 401 on GET \/api\/v1\/platform\/me, .*set SANDBOX_API_KEY/,
  ],
  [
    'is the workspace API',
    () => json(401, { error: { code: 'invalid_api_key', message: 'No', status: 401 } }),
    /^Cannot find the developer API at BASE_URL .* answers like the workspace API \(401 on GET .*\); set WORKSPACE_API_URL to it/,
  ],
])('a target that %s is rejected with one line', async ([, answer, says]) => {
  const { complaint, took } = await inspect(answer);
  expect(complaint).toMatch(says);
  expect(complaint).not.toContain('\n');
  expect(complaint).not.toContain(sandbox);
  expect(took).toBeLessThanOrEqual(1_100);
});

/** What stands in front of APIs says to a call for which it knows no route, or that it does not let through. */
test.for<[seenIn: string, WireResponse, RegExp]>([
  ['Kong 3.9', json(404, { message: 'no Route matched with those values' }), /404 with {"message":"no Route.*; Kong/],
  [
    'AWS API Gateway, usage plans',
    { ...json(403, { message: 'Forbidden' }), headers: [['x-amzn-ErrorType', 'ForbiddenException']] },
    /AWS API Gateway answered.*EXTRA_HEADERS/,
  ],
  [
    'Azure API Management, subscriptions',
    json(401, { statusCode: 401, message: 'Access denied due to missing subscription key. Make sure to …' }),
    /^Cannot use SANDBOX_API_KEY.*Azure API Management answered: let EXTRA_HEADERS carry its subscription key/,
  ],
  ['a service whose database is away', json(500, { message: 'Internal server error' }), /start the deployment, or/],
])('one refusal of all reads that is not in the API’s form is quoted: %s', async ([, answer, says]) => {
  expect((await inspect(() => answer)).complaint).toMatch(says);
});

test.for<[string, Answer]>([
  ['forbids everything, in different words', ({ url }) => json(url.includes('keys') ? 404 : 403, { detail: 'No' })],
  ['answers as documented', () => json(200)],
  ['answers errors', () => json(500)],
  ['has two endpoints that show pages', ({ url }) => (url.includes('/platform/me') ? page(500) : json(200))],
  ['has only one endpoint so far', ({ url }) => (url.endsWith('/ads/campaigns') ? json(200) : page(404))],
  [
    'has one endpoint that never answers',
    async (request, clock) => (request.url.endsWith('/platform/me') ? late(request, clock) : json(200)),
  ],
  ['accepts keys only in the query', ({ url }) => (url.includes('api_key=') ? json(200) : json(401))],
])('a target that %s is judged by the clauses', async ([, answer]) => {
  expect((await inspect(answer)).complaint).toBe(null);
});

test('a second given key that is refused is named', async () => {
  const answer: Answer = ({ url, headers }) =>
    json(url.includes(live) || headers.some(([, value]) => value === live) ? 401 : 200);
  const { complaint } = await inspect(answer, { LIVE_API_KEY: live });
  expect(complaint).toMatch(/^Cannot use LIVE_API_KEY: svc_live_…/);
});

test('the workspace API is tried with its own key and paths', async () => {
  const env = {
    BASE_URL: '',
    SANDBOX_API_KEY: '',
    WORKSPACE_API_URL: 'https://workspace.example',
    WORKSPACE_API_KEY: workspaceKey,
  };
  const { complaint } = await inspect(() => json(401), env);
  expect(complaint).toMatch(
    /^Cannot use WORKSPACE_API_KEY: wsk_… is refused with 401 \({"success":false,"data":{}}\) on GET \/v1\/agents, GET \/v1\/leads, GET \/v1\/bookings;/,
  );
  expect((await inspect(() => page(200), env)).complaint).toMatch(/workspace API at WORKSPACE_API_URL.*serves \/v1/);
  expect((await inspect(() => json(200), env)).sent).toEqual(['GET /v1/agents']);
});

test('a limited target is waited for no longer than one exchange may take', async () => {
  const { complaint, took } = await inspect(() => json(429));
  expect(complaint).toBe(null);
  expect(took).toBeLessThanOrEqual(1_100);
});
