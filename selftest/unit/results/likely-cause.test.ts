import { expect, test } from 'vitest';
import type { FailureKind } from '../../../common/transport-failure.ts';
import type { Exchange } from '../../../results/exchange.ts';
import { likelyCause } from '../../../results/likely-cause.ts';
import { rootCausesOf } from '../../../results/root-causes.ts';
import { judgeAll } from '../../../suites/engine/judge-responses.ts';
import type { Answered } from '../../../suites/session/evidence/evidence.ts';
import { exchangeWith, resultsOf } from '../reports/sample.ts';

const answered = (status: number, headers: Exchange['request']['headers'], text = ''): Exchange =>
  exchangeWith({ number: 1, response: { status, headers, text, json: undefined }, failure: null });
const failed = (kind: FailureKind): Exchange =>
  exchangeWith({ number: 1, response: null, failure: { kind, message: 'Words that nothing depends on' } });

test.for<[Exchange, RegExp?]>([
  [failed('timeout'), /TIMEOUT_MS/],
  [failed('closed'), /dropped the connection/],
  [failed('refused'), /went down/],
  [failed('length'), /Content-Length/],
  // A length in characters, as of String.length in JavaScript.
  [answered(200, [['Content-Type', 'application/json']], '{"data":{"name":"Zo\u00eb'), /measured in characters/],
  [answered(302, [['Location', 'https://login.test/']]), /redirects to https:\/\/login\.test\//],
  [answered(404, [['Content-Type', 'text/html; charset=utf-8']]), /own error page/],
  [answered(500, [['Content-Type', 'application/json']]), /crashed on this call/],
  // GitLab's API refuses what a viewer's key may not do.
  [{ ...answered(403, []), purpose: 'documented', keyLabel: 'LIVE_API_KEY' }, /^LIVE_API_KEY may lack permission/],
  // Cloudflare's documentation of challenges; Fastly, nginx, RFC 9211 on caches.
  [answered(403, [['Cf-Mitigated', 'challenge']]), /^Cloudflare's bot protection answered in place of the API/],
  [answered(200, [['X-Cache', 'HIT, MISS']]), /^A cache answered .*\(X-Cache: HIT, MISS\)/],
  [answered(200, [['X-Cache-Status', 'HIT']]), /A cache answered/],
  [answered(200, [['Cache-Status', 'ExampleCache; hit; ttl=30']]), /A cache answered/],
  // PHP's warnings behind the document.
  [answered(200, [['Content-Type', 'application/json']], '{"data":[]}<br />\n<b>Warning</b>')],
  [failed('too-large')],
  [answered(401, [['Content-Type', 'application/json']])],
  [answered(200, [['X-Cache', 'Miss from cloudfront']])],
  [answered(200, [['Cache-Status', '"Netlify Edge"; fwd=miss']])],
  [answered(200, [['Age', '0']])],
  // An API that names Basic itself, in its own form.
  [answered(401, [['WWW-Authenticate', 'Basic realm="api"']], '{"error":{}}')],
])('a cause is named if the exchange itself shows it', ([one, cause = /^none$/]) => {
  expect(likelyCause(one) ?? 'none').toMatch(cause);
});

// What each shows by itself, in the words of its vendor's pages and answers.
test.for<[who: string, headers: Exchange['request']['headers'], text: string]>([
  ["Cloudflare's bot protection", [], '<!DOCTYPE html><html><head><title>Just a moment...</title>'],
  ["Cloudflare Access's sign-in", [['Location', 'https://team.cloudflareaccess.com/cdn-cgi/access/login']], ''],
  ["AWS WAF's challenge", [['x-amzn-waf-action', 'challenge']], ''],
  ["Vercel's firewall", [['X-Vercel-Mitigated', 'challenge']], ''],
  ["Vercel's deployment protection", [], '<html><head><title>Authentication Required</title>'],
  ['DataDome', [['X-DataDome', 'protected']], ''],
  ["Akamai's bot manager", [], '<H1>Access Denied</H1>\nReference&#32;&#35;18&#46;2d351ab8'],
  ["Imperva's bot protection", [], '<iframe src="/_Incapsula_Resource?CWUDNSAI=23">'],
  ["Sucuri's firewall", [], '<title>Sucuri WebSite Firewall - Access Denied</title>'],
  ["Azure Front Door's firewall", [], '<html><body><h2>The request is blocked.</h2>'],
  ['Anubis', [], '<title>Making sure you&#39;re not a bot!</title>'],
  ["ModSecurity's firewall", [], '<head><title>Not Acceptable!</title></head>'],
  ['AWS API Gateway (is a stage missing?)', [], '{"message":"Missing Authentication Token"}'],
  ['AWS API Gateway', [['x-amzn-ErrorType', 'ForbiddenException']], '{"message":"Forbidden"}'],
  ['Kong', [], '{\n  "message":"no Route matched with those values"\n}'],
  ['Azure API Management', [], '{ "statusCode": 401, "message": "Access denied due to missing subscription key." }'],
  ['Apigee', [], '{"fault":{"faultstring":"Unable to identify proxy for host: secure"}}'],
  ['Google API Gateway', [], '{"message":"The current request is not defined by this API.","code":404}'],
  // localtunnel/localtunnel#598: with 511.
  ["localtunnel's reminder", [], '<title>Tunnel website ahead!</title> … https://loca.lt/mytunnelpassword'],
  ['ngrok', [['Ngrok-Error-Code', 'ERR_NGROK_3200']], ''],
  ['a proxy that asks for a password', [['WWW-Authenticate', 'Basic realm="staging"']], '<html>401</html>'],
])('%s is told apart from the API', ([who, headers, text]) => {
  expect(likelyCause(answered(403, headers, text))).toContain(`${who} answered in place of the API: `);
});

test('with many answers, a cause is reported only if it explains all of them', () => {
  const html = answered(404, [['Content-Type', 'text/html']]) as Answered;
  const json = { ...answered(200, [['Content-Type', 'application/json']]), number: 2 } as Answered;
  const rule = { expected: 'a header', place: 'headers', trouble: () => 'absent' };
  expect(judgeAll([html, html], rule).failures[0]?.cause).toMatch(/outside the API's format/);
  const [finding] = judgeAll([html, json], rule).failures;
  expect([finding?.cause, finding?.exchange]).toEqual([undefined, 2]);
});

const limited = { message: 'API rate limit exceeded' };
const answeredWith = (number: number, status: number, json: unknown, text = JSON.stringify(json)): Answered =>
  exchangeWith({ number, response: { status, headers: [], text, json } }) as Answered;
const own = answeredWith(1, 401, { success: false, data: null, error: { code: 'UNAUTHORIZED' }, meta: {} });

/** The root causes where three rules are broken: by the answers, and not by one of the API's own. */
function causesOf(...answers: readonly Answered[]) {
  const judgedBy = (all: readonly Answered[], broken: readonly Answered[], place: string) => {
    const trouble = (one: Answered) => (broken.includes(one) ? 'absent' : null);
    const { failures } = judgeAll(all, { expected: 'right', place, trouble });
    return { verdict: 'fail' as const, findings: failures };
  };
  const all = [own, ...answers];
  return rootCausesOf(
    resultsOf({
      'developer.envelope.success': judgedBy(all, answers, '/success'),
      'developer.errors.code': judgedBy(answers, answers, '/error'),
      'developer.limits.headers': judgedBy(all, answers, 'headers'),
    }),
    'fail',
  ).map(({ clauses, sentence, finding: { place, cause } }) => ({ many: clauses.length, sentence, place, cause }));
}

const where = (many: number): string => `, as in ${many} of ${many + 1} responses: `;

test.for<[string, readonly Answered[], sentence: string]>([
  [
    'JSON, as of Kong',
    [answeredWith(2, 429, limited), answeredWith(3, 429, limited)],
    `429 outside the API's format: {"message":"API rate limit exceeded"}${where(2)}429 on GET /api/v1/platform/me`,
  ],
  [
    'pages of several statuses, as of nginx',
    [answeredWith(2, 403, undefined, '<h1>403</h1>\r\n'), answeredWith(3, 404, undefined, '<h1>404</h1>')],
    `403 outside the API's format: "<h1>403</h1>"${where(2)}403 on GET /api/v1/platform/me, 404 on GET /api/v1/platform/me`,
  ],
  [
    'nothing, as of KrakenD',
    [answeredWith(2, 404, undefined, '')],
    `404 outside the API's format: an empty body${where(1)}404 on GET /api/v1/platform/me`,
  ],
])('what somebody else answers is one root cause that quotes it: %s', ([, answers, sentence]) => {
  expect(causesOf(...answers)).toEqual([{ many: 3, sentence, place: undefined, cause: undefined }]);
});

test("the API's own errors and successes are not taken for somebody else's, nor are they where they are among the answers", () => {
  for (const one of [{ ...own, number: 2 }, answeredWith(2, 200, {})]) {
    expect(causesOf(one).map(({ many }) => many)).toEqual([1, 1, 1]);
    expect(causesOf(one, answeredWith(3, 429, limited)).map(({ many }) => many)).toEqual([1, 1, 1]);
  }
  const workspace = { ...answeredWith(2, 404, { error: { code: 'not_found' } }), api: 'workspace' as const };
  expect(causesOf(workspace).map(({ many }) => many)).toEqual([1, 1, 1]);
});
