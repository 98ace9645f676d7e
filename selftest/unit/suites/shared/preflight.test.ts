import { expect, test } from 'vitest';
import { CannotRun } from '../../../../common/cannot-run.ts';
import type { Clock } from '../../../../common/clock.ts';
import { TransportFailure } from '../../../../common/transport-failure.ts';
import { preflight } from '../../../../suites/shared/preflight.ts';
import { testKeys, testSession } from '../../test-session.ts';

const live = 'svc_live_given0123456789';

type Respond = (request: Request, clock: Clock) => Response | Promise<Response>;
type Env = Readonly<Record<string, string>>;

const json = (status: number, body: unknown = { success: status < 300, data: {} }): Response =>
  Response.json(body, { status });
const html = (status: number, text = '<html><title> Welcome\nto nginx </title>'): Response =>
  new Response(text, { status, headers: { 'Content-Type': 'text/html' } });
const fails = (...args: ConstructorParameters<typeof TransportFailure>): never => {
  throw new TransportFailure(...args);
};
const late: Respond = async (_request, clock) => {
  await clock.sleep(1_000);
  return fails('timeout', 'No complete answer within 1000 ms');
};

/** Runs the preflight of the developer API. Gives the message that ends the run; null: it goes on. */
async function complaintOf(respond: Respond, env: Env = {}): Promise<string | null> {
  const session = testSession('developer', {
    origin: env.BASE_URL ?? 'https://api.example',
    env: { TIMEOUT_MS: '1000', ...env },
    serve: (request) => respond(request, session.clock),
  });
  const began = session.clock.now();
  const refusal: unknown = await preflight(session).catch((error) => error);
  expect([undefined, expect.any(CannotRun)]).toContainEqual(refusal);
  expect(session.clock.now() - began).toBeLessThanOrEqual(1_100);
  const complaint = refusal instanceof CannotRun ? refusal.message : null;
  expect([testKeys.developer, live, '\n'].filter((text) => complaint?.includes(text))).toEqual([]);
  return complaint;
}

const access = { statusCode: 401, message: 'Access denied due to missing subscription key. Make sure to …' };
const ofWorkspace = { error: { code: 'invalid_api_key', message: 'No', status: 401 } };
const moved: Respond = ({ url }) =>
  new Response(null, { status: 308, headers: { Location: url.replace('//', '//www.') } });
/** Refuses the live key alone. */
const unknownLive: Respond = ({ url, headers }) =>
  json(url.includes(live) || [...headers.values()].includes(live) ? 401 : 200);

test.for<[string, Respond, RegExp, env?: Env]>([
  ['does not answer in time', late, /BASE_URL .*No complete answer.*TIMEOUT_MS/],
  [
    'has an unknown certificate',
    () => fails('tls', 'TLS fails: self-signed certificate (DEPTH_ZERO_SELF_SIGNED_CERT)'),
    /BASE_URL .*TLS fails: self-signed.*NODE_EXTRA_CA_CERTS/,
  ],
  [
    'speaks HTTP/2 only',
    () => fails('no-http1', 'Server speaks HTTP/2 only: TLS failed'),
    /HTTP\/2 only.*; let it accept HTTP\/1\.1 too, or set BASE_URL to/,
  ],
  [
    'closes plain HTTP, as a TLS server of Node does',
    () => fails('closed', 'Connection closed before the response was complete'),
    /or correct BASE_URL \(https: where the port speaks TLS\)$/,
    { BASE_URL: 'http://api.example' },
  ],
  ['shows a page', () => html(200), /at BASE_URL .*200 with an HTML page titled "Welcome to nginx".*serves \/api\/v1$/],
  ['redirects to another host', moved, /; set BASE_URL to https:\/\/www\.api\.example$/],
  [
    'refuses the key',
    () => json(401),
    /^Cannot use SANDBOX_API_KEY: svc_test_… is refused with 401 on GET \/api\/v1\/platform\/me, .*set SANDBOX_API_KEY/,
  ],
  ['refuses a second key', unknownLive, /^Cannot use LIVE_API_KEY: svc_live_…/, { LIVE_API_KEY: live }],
  [
    'is the workspace API',
    () => json(401, ofWorkspace),
    /^Cannot find the developer API at BASE_URL .* answers like the workspace API \(401 on GET .*\); set WORKSPACE_API_URL to it/,
  ],
  // What stands in front of APIs says to a call for which it knows no route, or that it does not let through.
  [
    'is behind Azure API Management, with subscriptions',
    () => json(401, access),
    /^Cannot use SANDBOX_API_KEY.*Azure API Management answered in place of the API: .* let EXTRA_HEADERS carry/,
  ],
  [
    'is behind HAProxy 2.9, which has no title',
    () => html(403, '<html><body><h1>403 Forbidden</h1>\nRequest forbidden by administrative rules.'),
    /403 with an HTML page titled "403 Forbidden"; set/,
  ],
  [
    "is behind Google's Identity-Aware Proxy, whose text/html is text",
    () => html(401, 'Invalid IAP credentials: empty token'),
    /401 with no JSON \(text\/html: Invalid IAP credentials: empty token\); set/,
  ],
  [
    'is behind Kong, whose limit of an hour is used up',
    () => Response.json({ message: 'API rate limit exceeded' }, { status: 429, headers: { 'Retry-After': '3500' } }),
    /429 with {"message":"API rate limit exceeded"}; run again when its limits admit calls, or set BASE_URL/,
  ],
  ['has lost its database', () => json(500, { message: 'Internal server error' }), /start the deployment, or/],
])('a target that %s is rejected with one line', async ([, respond, says, env]) => {
  expect(await complaintOf(respond, env)).toMatch(says);
});

test.for<[string, Respond]>([
  ['answers errors', () => json(500)],
  ['is over its limits, for which it waits no longer than for an answer', () => json(429)],
  ['has only one endpoint so far', ({ url }) => (url.endsWith('/ads/campaigns') ? json(200) : html(404))],
  ['accepts keys only in the query', ({ url }) => (url.includes('api_key=') ? json(200) : json(401))],
])('a target that %s is judged by the clauses', async ([, respond]) => {
  expect(await complaintOf(respond)).toBe(null);
});
