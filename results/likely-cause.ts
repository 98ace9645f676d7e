import { at, isObject } from '../common/json.ts';
import type { FailureKind } from '../common/transport-failure.ts';
import { show } from '../common/words.ts';
import type { ApiName } from '../contract/clause.ts';
import { type Exchange, headerOf, type RecordedResponse } from './exchange.ts';

/** The usual causes of transport failures, by their kind. */
const ofFailures: Readonly<Partial<Record<FailureKind, string>>> = {
  timeout: 'The deployment hangs on this call, or takes longer than TIMEOUT_MS',
  closed: 'The server, or a proxy in front of it, dropped the connection during the call',
  refused: 'The deployment, or an instance of it, went down during the run',
  length: 'The body was cut off or measured in characters instead of bytes: look at what sets Content-Length',
  encoding: 'The body was encoded twice, or labelled with an encoding it does not have',
};

const bypass = 'look at its rules and routes, or let EXTRA_HEADERS carry what lets the run through';

/** What tells that somebody between a client and an API answered in its place. */
interface Sign {
  /** Who answered: `Cloudflare's bot protection`. */
  readonly who: string;
  /** A header that has to match, a text in the first characters of the body, or both. */
  readonly header?: readonly [name: string, value: RegExp];
  readonly body?: RegExp;
}

/** Bot protection, sign-in pages and gateways, by the marks that their vendors document or that public reports show. */
const signs: readonly Sign[] = [
  { who: "Cloudflare's bot protection", header: ['cf-mitigated', /./] },
  {
    who: "Cloudflare's bot protection",
    body: /^error code: 1\d{3}\b|<title>(Just a moment\.\.\.|Attention Required! \| Cloudflare)/,
  },
  { who: "Cloudflare Access's sign-in", header: ['location', /\.cloudflareaccess\.com\//] },
  { who: "AWS WAF's challenge", header: ['x-amzn-waf-action', /./] },
  { who: "Vercel's firewall", header: ['x-vercel-mitigated', /./] },
  { who: "Vercel's deployment protection", body: /_vercel_sso_nonce|<title>Authentication Required/ },
  { who: 'DataDome', header: ['x-datadome', /protected/] },
  { who: "Akamai's bot manager", body: /<H1>Access Denied<\/H1>[\s\S]*Reference&#32;&#35;/ },
  { who: "Imperva's bot protection", body: /_Incapsula_Resource/ },
  { who: "Sucuri's firewall", body: /<title>Sucuri WebSite Firewall/ },
  { who: "Azure Front Door's firewall", body: /<h2>The request is blocked\.<\/h2>/ },
  { who: 'Anubis', body: /Making sure you(&#39;|')re not a bot/ },
  { who: "ModSecurity's firewall", body: /<title>(406 )?Not Acceptable!?<\/title>|Mod_Security/i },
  // Most often the stage is missing from the URL, such as /prod.
  { who: 'AWS API Gateway (is a stage missing?)', body: /"message"\s*:\s*"Missing Authentication Token"/ },
  { who: 'AWS API Gateway', header: ['x-amzn-errortype', /^(Forbidden|AccessDenied|Unauthorized)/] },
  { who: 'Kong', body: /"message"\s*:\s*"no Route matched with those values"/ },
  { who: 'Azure API Management', body: /"message"\s*:\s*"Access denied due to (missing|invalid) subscription key/ },
  { who: 'Apigee', body: /^\s*\{\s*"fault"\s*:\s*\{\s*"faultstring"/ },
  { who: 'Google API Gateway', body: /The current request is not defined by this API/ },
  { who: "localtunnel's reminder", body: /loca\.lt\/mytunnelpassword|bypass-tunnel-reminder/i },
  { who: 'ngrok', header: ['ngrok-error-code', /./] },
  {
    who: 'a proxy that asks for a password',
    header: ['www-authenticate', /^(basic|digest|negotiate|ntlm)\b/i],
    body: /^(?!\s*[{[])/,
  },
];

/** Characters of a body in which a vendor's mark stands. */
const headOfBody = 8_192;

/** Who answered a call in place of the API, and what lets calls through; undefined: nothing shows that somebody did. */
export function intermediaryOf({ headers, text }: Omit<RecordedResponse, 'json'>): string | undefined {
  const beginning = text.slice(0, headOfBody);
  const sign = signs.find(
    ({ header, body }) =>
      (header === undefined || header[1].test(headerOf(headers, header[0]) ?? '')) && body?.test(beginning) !== false,
  );
  return sign && `${sign.who} answered in place of the API: ${bypass}`;
}

/** Whether a header says that a cache answered: `X-Cache: HIT`, RFC 9211's `Cache-Status`, Varnish's two numbers. */
const saysCached = ([name, value]: readonly [string, string]): boolean =>
  /^(.*-)?cache(-status)?$/i.test(name)
    ? /(^|[;,\s])hit\b|^(stale|updating)$/i.test(value)
    : (/^age$/i.test(name) && /^0*[1-9]\d*$/.test(value)) || (/^x-varnish$/i.test(name) && /^\d+ \d+$/.test(value));

/** Whether JSON has a mark of an API's errors, documented in full or not: a gateway's errors have none. */
export const isOwnError = (api: ApiName, json: unknown): boolean =>
  api === 'developer'
    ? at(json, '/success') !== undefined || isObject(at(json, '/meta'))
    : isObject(at(json, '/error'));

/** Whether a text begins as an API's errors do, and is no JSON: two documents, say, since a handler answered twice. */
const isBrokenError = ({ json, text }: RecordedResponse): boolean =>
  json === undefined && /^\s*\{\s*"(error|success)"\s*:/.test(text);

/** Whether a refusal is not in the API's form: what stands in front of the deployment may have answered. */
export const isOutside = ({ api, response, failure }: Pick<Exchange, 'api' | 'response' | 'failure'>): boolean =>
  response !== null &&
  response.status >= 400 &&
  failure === null &&
  !isOwnError(api, response.json) &&
  !isBrokenError(response);

/** The cause where an answer is outside the API's format: most likely somebody else's. It is quoted. */
export const outsideCause = ({ status, json, text }: RecordedResponse): string =>
  `${status} outside the API's format: ${text === '' ? 'an empty body' : show(json ?? text.replace(/\s+/g, ' ').trim(), 90)}`;

/** The cause of a finding on an answer that is outside the API's format. */
export const quoteIfOutside = (exchange?: Exchange): { readonly cause?: string } =>
  exchange?.response && isOutside(exchange) ? { cause: outsideCause(exchange.response) } : {};

/** The causes that say that somebody else than the deployment answered: findings that share one have one root cause. */
export const answeredInPlace = / answered in place of the (API|deployment)|^\d+ outside the API's format: /;

/** Whether a text is JSON up to its end, which comes too early: a Content-Length that is too short cuts it off. */
function endsEarly(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    const { message } = error as Error;
    const isAtEnd = /end of JSON|Unterminated string/.test(message) || message.includes(`position ${text.length} `);
    return isAtEnd && /^\s*[{[]/.test(text);
  }
}

/** The most likely cause of a wrong answer, whatever the clause; undefined if the answer gives no hint. */
export function likelyCause(exchange: Exchange): string | undefined {
  const { response, failure, purpose, keyLabel } = exchange;
  if (failure !== null) {
    return ofFailures[failure.kind];
  }
  if (response === null) {
    return undefined;
  }
  const intermediary = intermediaryOf(response);
  if (intermediary !== undefined) {
    return intermediary;
  }
  const cached = response.headers.find(saysCached);
  if (cached !== undefined) {
    return `A cache answered in place of the deployment (${cached.join(': ').slice(0, 100)}): it must not keep answers of this API`;
  }
  if (response.status > 500 && isOutside(exchange)) {
    return outsideCause(response);
  }
  if (response.json === undefined && endsEarly(response.text)) {
    return ofFailures.length;
  }
  const type = headerOf(response.headers, 'content-type') ?? '';
  const location = headerOf(response.headers, 'location');
  if (response.status >= 300 && response.status < 400 && location !== null) {
    return `Something redirects to ${location.slice(0, 200)}: a sign-in page, another scheme or host, or a slash at the end`;
  }
  const isHtml = /\bhtml\b/i.test(type);
  if (isHtml) {
    const what = [404, 405].includes(response.status) ? 'No route matches this call' : 'Got an HTML page';
    return `${what}: the answer is a framework's or gateway's own error page`;
  }
  if (response.status === 403 && purpose === 'documented' && /^[A-Z_]+_API_KEY$/.test(keyLabel ?? '')) {
    return `${keyLabel} may lack permission: set it to a key that may make every documented call`;
  }
  if (response.status > 500) {
    return 'The deployment, or what it needs, was not there for this call: look for a restart, an overload or a timeout';
  }
  if (response.status === 500) {
    return 'The deployment crashed on this call: search its log for the trace id, or for the time of the call';
  }
  return undefined;
}
