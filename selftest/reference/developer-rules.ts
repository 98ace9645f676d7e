import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { developerEndpoints } from '../../contract/developer-endpoints.ts';
import { developerErrorCodes } from '../../contract/errors.ts';
import { limitHeaders } from '../../contract/limits.ts';
import { dataSchemas, envelope } from '../../contract/schemas.ts';
import type { Exchange } from './developer-wire.ts';

const ajv = formats.default(new Ajv({ allErrors: true }));
const isEnvelope = ajv.compile(envelope);
const isData = new Map(Object.entries(dataSchemas).map(([name, schema]) => [name, ajv.compile(schema)]));

const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(Z|\+00:00)$/;

interface Envelope {
  readonly success: boolean;
  readonly data?: unknown;
  readonly error: unknown;
  readonly meta: { readonly trace_id: string; readonly timestamp: string };
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

const isRow = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
const isEmpty = (value: unknown): boolean => value === undefined || value === null || Object.keys(value).length === 0;
const isProbe = ({ method, path, text }: Exchange): boolean => (method === 'GET' && path.endsWith('/inbox/draft')) || /\/usage\?days=(91|x)$/.test(path) || method === 'PUT' || method === 'DELETE' || method === 'OPTIONS' || text.includes('too large');

function* wrongOutcome({ method, path, status }: Exchange, body: Envelope): Generator<string> {
  if (body.success !== status < 400) yield 'success does not match the status';
  if (status >= 400) {
    if (!isEmpty(body.data)) yield 'data on a failure';
    if (!isRow(body.error)) yield 'no error';
    const code = developerErrorCodes[status];
    if (code !== undefined && !JSON.stringify(body.error).includes(`"${code}"`)) yield `no ${code}`;
    return;
  }
  if (body.error !== null) yield 'an error on a success';
  if (!isRow(body.data)) yield 'no data';
  const schema = developerEndpoints.find((endpoint) => endpoint.method === method && endpoint.path === path.split('?')[0])?.schema;
  const fits = schema === undefined ? undefined : isData.get(schema);
  if (fits?.(body.data) === false) yield `data is no ${schema}: ${ajv.errorsText(fits.errors)}`;
}

function* wrong(exchange: Exchange): Generator<string> {
  const { status, headers, text, at } = exchange;
  const body = parsed(text);
  if (!/^application\/([\w.-]+\+)?json\b/i.test(headers.get('Content-Type') ?? '')) yield 'not labelled as JSON';
  for (const name of limitHeaders) if (headers.get(name) === null) yield `no ${name}`;
  if (status === 204 && isProbe(exchange)) return;
  if (status !== 200 && status !== 201 && developerErrorCodes[status] === undefined && !isProbe(exchange)) yield 'a status of its own';
  if (status >= 500) yield 'a server error';
  if (!isEnvelope(body)) return yield ajv.errorsText(isEnvelope.errors);
  const { trace_id: trace, timestamp } = (body as unknown as Envelope).meta;
  if (!uuid4.test(trace)) yield 'no version 4 UUID';
  if (!instant.test(timestamp) || Date.parse(timestamp) !== at) yield 'no timestamp of now';
  yield* wrongOutcome(exchange, body as unknown as Envelope);
}

/** What the clauses on every response, and those with schemas, find wrong: written anew, and shorter than the suites do. */
export function irregularities(exchanges: readonly Exchange[]): string[] {
  const traces = exchanges.map(({ text }) => /"trace_id":\s*"([^"]+)"/.exec(text)?.[1]);
  const found = exchanges.flatMap((exchange) => [...wrong(exchange)].map((what) =>
    `${exchange.method} ${exchange.path.slice(0, 80)} ${exchange.status}: ${what}: ${exchange.text.slice(0, 200)}`));
  return new Set(traces).size === traces.length ? found : [...found, 'a trace id that is used twice'];
}
