// What the documents promise of every successful answer, as far as one answer shows it. For traffic in bulk, where the
// suites' client cannot go: the clause ids are the suites' own.
import type { Api } from '../../contract/clause.ts';

const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(Z|\+00:00)$/;

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function developerBreaches(body: Json): string[] {
  const meta = isObject(body['meta']) ? body['meta'] : {};
  const rows: [clause: string, holds: boolean][] = [
    ['developer.envelope.success', typeof body['success'] === 'boolean'],
    ['developer.envelope.success-matches-status', body['success'] === true],
    ['developer.envelope.data', isObject(body['data'])],
    ['developer.envelope.context', body['context'] === null || isObject(body['context'])],
    ['developer.envelope.error-on-success', body['error'] === null],
    ['developer.envelope.trace-id', typeof meta['trace_id'] === 'string' && uuid4.test(meta['trace_id'])],
    ['developer.envelope.timestamp', typeof meta['timestamp'] === 'string' && instant.test(meta['timestamp'])],
  ];
  return rows.filter(([, holds]) => !holds).map(([clause]) => clause);
}

/** The clauses that `breaches` can name. */
export const envelopeClauses: Readonly<Record<Api, readonly string[]>> = {
  developer: [
    'developer.envelope.json', 'developer.envelope.success', 'developer.envelope.success-matches-status', 'developer.envelope.data',
    'developer.envelope.context', 'developer.envelope.error-on-success', 'developer.envelope.trace-id', 'developer.envelope.timestamp',
    'developer.errors.no-server-error',
  ],
  workspace: ['workspace.responses.json', 'workspace.responses.success-status', 'workspace.errors.no-server-error'],
};

/** The clauses that this answer to a documented read breaks. Refusals (429) and calls without an answer are judged elsewhere. */
export function breaches(api: Api, answer: { status: number; contentType: string; body: string }): string[] {
  const { status, contentType, body } = answer;
  if (status === 0 || status === 429) return [];
  if (status >= 500) return [`${api}.errors.no-server-error`];
  const json = /[/+]json\b/i.test(contentType) ? parse(body) : undefined;
  if (api === 'workspace') {
    const out = json === undefined ? ['workspace.responses.json'] : [];
    return status < 300 && status !== 200 && status !== 201 ? [...out, 'workspace.responses.success-status'] : out;
  }
  if (!isObject(json)) return ['developer.envelope.json'];
  return status < 300 ? developerBreaches(json) : [];
}
