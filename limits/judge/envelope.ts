// What the documents promise of every successful answer, as far as one answer shows it. For traffic in bulk, where the
// suites' client cannot go: the clause ids are the suites' own.
import type { Api } from '../../contract/clause.ts';

const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(Z|\+00:00)$/;

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Written without lists on the way of an answer that keeps everything: this runs for each call of heavy traffic. */
function developerBreaches(body: Json): string[] {
  const out: string[] = [];
  const { success, data, context, error, meta } = body as {
    success?: unknown;
    data?: unknown;
    context?: unknown;
    error?: unknown;
    meta?: unknown;
  };
  if (typeof success !== 'boolean') {
    out.push('developer.envelope.success');
  }
  if (success !== true) {
    out.push('developer.envelope.success-matches-status');
  }
  if (!isObject(data)) {
    out.push('developer.envelope.data');
  }
  if (context !== null && !isObject(context)) {
    out.push('developer.envelope.context');
  }
  if (error !== null) {
    out.push('developer.envelope.error-on-success');
  }
  const told = isObject(meta) ? meta : {};
  if (typeof told.trace_id !== 'string' || !uuid4.test(told.trace_id)) {
    out.push('developer.envelope.trace-id');
  }
  if (typeof told.timestamp !== 'string' || !instant.test(told.timestamp)) {
    out.push('developer.envelope.timestamp');
  }
  return out;
}

/** The clauses that `breaches` can name. */
export const envelopeClauses: Readonly<Record<Api, readonly string[]>> = {
  developer: [
    'developer.envelope.json',
    'developer.envelope.success',
    'developer.envelope.success-matches-status',
    'developer.envelope.data',
    'developer.envelope.context',
    'developer.envelope.error-on-success',
    'developer.envelope.trace-id',
    'developer.envelope.timestamp',
    'developer.errors.no-server-error',
  ],
  workspace: ['workspace.responses.json', 'workspace.responses.success-status', 'workspace.errors.no-server-error'],
};

/** The clauses that this answer to a documented read breaks. Refusals (429) and calls without an answer are judged elsewhere. */
export function breaches(api: Api, answer: { status: number; contentType: string; body: string }): string[] {
  const { status, contentType, body } = answer;
  if (status === 0 || status === 429) {
    return [];
  }
  if (status >= 500) {
    return [`${api}.errors.no-server-error`];
  }
  const json = /[/+]json\b/i.test(contentType) ? parse(body) : undefined;
  if (api === 'workspace') {
    const out = json === undefined ? ['workspace.responses.json'] : [];
    return status < 300 && status !== 200 && status !== 201 ? [...out, 'workspace.responses.success-status'] : out;
  }
  if (!isObject(json)) {
    return ['developer.envelope.json'];
  }
  return status < 300 ? developerBreaches(json) : [];
}
