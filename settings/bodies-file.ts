import { nearestHint } from '../common/nearest.ts';
import { developerEndpoints } from '../contract/developer-endpoints.ts';
import { workspaceEndpoints } from '../contract/workspace-endpoints.ts';

/** The user's own request bodies by documented call: `POST /v1/agents`. */
export type UserBodies = Readonly<Record<string, object>>;

/** What may stand in double braces in their strings. */
const words = ['run', 'webhook_url', 'webhook_secret'] as const;

const calls = [...developerEndpoints, ...workspaceEndpoints]
  .filter(({ body }) => body !== undefined)
  .map(({ id }) => id);

/** The bodies in the file that BODIES names. Throws an Error that names the place in it and what it must be. */
export function parseBodies(json: unknown): UserBodies {
  if (!isRecord(json)) {
    throw new Error('it must be an object such as {"POST /v1/agents": {…}}');
  }
  return Object.fromEntries(Object.entries(json).map(([call, body]) => [call, parseBody(call, body)]));
}

function parseBody(call: string, body: unknown): object {
  const place = JSON.stringify(call);
  if (!calls.includes(call)) {
    throw new Error(`${place} is no documented call with a body${nearestHint(call, calls)}`);
  }
  if (typeof body !== 'object' || body === null) {
    throw new Error(`${place}: got ${body === null ? 'null' : `a ${typeof body}`}, must be a JSON object`);
  }
  for (const [, word = ''] of JSON.stringify(body).matchAll(/\{\{(.*?)\}\}/g)) {
    if (!(words as readonly string[]).includes(word.trim())) {
      throw new Error(`${place}: got {{${word}}}, must be one of ${words.map((known) => `{{${known}}}`).join(', ')}`);
    }
  }
  return body;
}

/** A body with the values put in for the words; a word without a value stays as it is. */
export function fillBody(body: unknown, values: Readonly<Partial<Record<(typeof words)[number], string>>>): unknown {
  if (typeof body === 'string') {
    return body.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, word: (typeof words)[number]) => values[word] ?? whole);
  }
  if (Array.isArray(body)) {
    return body.map((item) => fillBody(item, values));
  }
  if (!isRecord(body)) {
    return body;
  }
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, fillBody(value, values)]));
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
