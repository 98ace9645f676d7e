// The every-response clauses that can be judged on a single successful response, for the many responses of a soak.
import type { ApiName } from '../../contract/clause.ts';

const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const isUuid4 = (value: unknown): boolean => typeof value === 'string' && uuid4.test(value);
const jsonType = /^[^;]*[/+]json\s*(;|$)/i;

/**
 * Whether a value is an ISO 8601 UTC instant with milliseconds. A day that does not exist is written back as another
 * one.
 */
function isInstant(value: unknown): boolean {
  if (typeof value !== 'string') {
    return false;
  }
  const [text, at] = [value.replace('+00:00', 'Z'), Date.parse(value)];
  return text.length === 24 && !Number.isNaN(at) && new Date(at).toISOString() === text;
}

type Json = Readonly<Record<string, unknown>>;
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value of a JSON text; undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Rule = readonly [clause: string, holds: (body: Json) => boolean];
const metaOf = ({ meta }: Json): Json => (isObject(meta) ? meta : {});

const developerRules: readonly Rule[] = [
  ['developer.envelope.success', ({ success }) => typeof success === 'boolean'],
  ['developer.envelope.success-matches-status', ({ success }) => success !== false],
  ['developer.envelope.data', ({ data }) => isObject(data)],
  ['developer.envelope.context', ({ context }) => context === null || isObject(context)],
  ['developer.envelope.error-on-success', ({ error }) => error === null],
  ['developer.envelope.trace-id', (body) => isUuid4(metaOf(body).trace_id)],
  ['developer.envelope.timestamp', (body) => isInstant(metaOf(body).timestamp)],
];

/** The clauses that `breachesOf` can name. */
export const envelopeClauses: Readonly<Record<ApiName, readonly string[]>> = {
  developer: [
    'developer.envelope.json',
    ...developerRules.map(([clause]) => clause),
    'developer.errors.no-server-error',
  ],
  workspace: ['workspace.responses.json', 'workspace.responses.success-status', 'workspace.errors.no-server-error'],
};

/**
 * The clauses that a response to a documented read breaks. Refusals (429) and missing responses are judged elsewhere.
 */
export function breachesOf(
  api: ApiName,
  response: { readonly status: number; readonly contentType: string; readonly body: string },
): string[] {
  const { status, contentType, body } = response;
  if (status === 0 || status === 429) {
    return [];
  }
  if (status >= 500) {
    return [`${api}.errors.no-server-error`];
  }
  const json = jsonType.test(contentType) ? parseJson(body) : undefined;
  if (api === 'workspace') {
    const needsBody = status !== 204 && (status < 300 || status >= 400);
    const isSuccess = status < 300 || status === 304;
    return [
      ...(json === undefined && needsBody ? ['workspace.responses.json'] : []),
      ...(isSuccess && status !== 200 && status !== 201 ? ['workspace.responses.success-status'] : []),
    ];
  }
  if (!isObject(json)) {
    return ['developer.envelope.json'];
  }
  return status < 300 ? developerRules.filter(([, holds]) => !holds(json)).map(([clause]) => clause) : [];
}
