// The every-response clauses that sustained traffic may break, for the many responses of a soak. What else an envelope
// must have does not depend on load: the suites judge it.
import type { ApiName } from '../../contract/clause.ts';

const jsonType = /^[^;]*[/+]json\s*(;|$)/i;

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value of a JSON text; undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The clauses that `breachesOf` can name. */
export const envelopeClauses: Readonly<Record<ApiName, readonly string[]>> = {
  developer: [
    'developer.envelope.json',
    'developer.envelope.success-matches-status',
    'developer.errors.no-server-error',
  ],
  workspace: ['workspace.responses.json', 'workspace.errors.no-server-error'],
};

/** The clauses that a response to a documented read breaks. Refusals (429) and missing responses are judged elsewhere. */
export function breachesOf(
  api: ApiName,
  { status, contentType, body }: { readonly status: number; readonly contentType: string; readonly body: string },
): string[] {
  if (status === 0 || status === 429) {
    return [];
  }
  if (status >= 500) {
    return [`${api}.errors.no-server-error`];
  }
  const json = jsonType.test(contentType) ? parseJson(body) : undefined;
  if (api === 'workspace') {
    const needsBody = status !== 204 && (status < 300 || status >= 400);
    return json === undefined && needsBody ? ['workspace.responses.json'] : [];
  }
  if (!isObject(json)) {
    return ['developer.envelope.json'];
  }
  return status < 300 && json.success === false ? ['developer.envelope.success-matches-status'] : [];
}
