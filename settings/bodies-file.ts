import { readFileSync } from 'node:fs';
import { CannotRun } from '../common/cannot-run.ts';
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

/** The bodies in a file (setting BODIES). Throws CannotRun, naming the file, the place in it and what it may be. */
export function readBodies(file: string): UserBodies {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw refusal(file, cause instanceof Error ? cause.message : String(cause));
  }
  return parseBodies(text, file);
}

/** The bodies in the text of such a file. Throws CannotRun as `readBodies` does. */
export function parseBodies(text: string, file: string): UserBodies {
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (cause) {
    throw refusal(file, `it is not JSON (${cause instanceof Error ? cause.message : String(cause)})`);
  }
  if (!isRecord(json)) {
    throw refusal(file, 'it may be an object such as {"POST /v1/agents": {…}}');
  }
  return Object.fromEntries(Object.entries(json).map(([call, body]) => [call, checked(call, body, file)]));
}

function checked(call: string, body: unknown, file: string): object {
  const place = JSON.stringify(call);
  if (!calls.includes(call)) {
    throw refusal(file, `${place} is no documented call with a body${nearestHint(call, calls)}`);
  }
  if (typeof body !== 'object' || body === null) {
    throw refusal(file, `${place} is ${typeOf(body)}, and may be a JSON object`);
  }
  for (const [, word = ''] of JSON.stringify(body).matchAll(/\{\{(.*?)\}\}/g)) {
    if (!(words as readonly string[]).includes(word.trim())) {
      throw refusal(
        file,
        `${place} holds {{${word}}}, and may hold ${words.map((known) => `{{${known}}}`).join(', ')}`,
      );
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

const typeOf = (value: unknown): string => (value === null ? 'null' : `a ${typeof value}`);

const refusal = (file: string, why: string): CannotRun =>
  new CannotRun(`Cannot use BODIES ${file}: ${why}`.replace(/\s+/g, ' '));
