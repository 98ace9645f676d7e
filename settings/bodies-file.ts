import type { ExactNumber } from '../common/exact-json.ts';
import { isObject } from '../common/json.ts';
import { wrongAt } from '../common/json-place.ts';
import { nearestHint } from '../common/nearest.ts';
import { endpoints } from '../contract/endpoints.ts';
import { parseShapes, type Shapes } from './shapes.ts';

/** The user's own request bodies by documented call: `POST /v1/agents`. */
export type UserBodies = Readonly<Record<string, object>>;

/** What may be in double braces in their strings. */
const bodyWords = [
  'run',
  'webhook_url',
  'webhook_secret',
  'agent_id',
  'lead_id',
  'slot_start',
  'slot_end',
  'email',
  'phone',
] as const;
type BodyWord = (typeof bodyWords)[number];

/** A time may be moved: `slot_start:+90m`. */
const moved = /^(slot_start|slot_end):([+-]\d{1,6})(s|m|h|d)$/;
const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const isWord = (word: string): boolean => (bodyWords as readonly string[]).includes(word) || moved.test(word);

const calls = endpoints.filter(({ body }) => body !== undefined).map(({ id }) => id);

/** What the file says that BODIES names. */
export interface BodiesFile {
  readonly bodies: UserBodies;
  readonly shapes: Shapes;
}

/** Reads the file that BODIES names. Throws an Error that names the place in it and what it must be. */
export function parseBodies(json: unknown): BodiesFile {
  if (!isObject(json)) {
    throw new Error('it must be an object such as {"POST /v1/agents": {…}}');
  }
  const { $schema: _, shapes, ...bodies } = json;
  return {
    bodies: Object.fromEntries(Object.entries(bodies).map(([call, body]) => [call, parseBody(call, body)])),
    shapes: shapes === undefined ? {} : parseShapes(shapes),
  };
}

function parseBody(call: string, body: unknown): object {
  const place = JSON.stringify(call);
  if (!calls.includes(call)) {
    throw wrongAt([call], `${place} is not a documented call with a body${nearestHint(call, calls)}`);
  }
  if (typeof body !== 'object' || body === null) {
    throw wrongAt([call], `${place}: got ${body === null ? 'null' : `a ${typeof body}`}, must be a JSON object`);
  }
  for (const [, word = ''] of JSON.stringify(body).matchAll(/\{\{(.*?)\}\}/g)) {
    if (!isWord(word.trim())) {
      const known = bodyWords.map((one) => `{{${one}}}`).join(', ');
      throw wrongAt(
        [call],
        `${place}: got {{${word}}}, must be one of ${known}; times may be moved: {{slot_start:+90m}}`,
      );
    }
  }
  return body;
}

/** The values of words. An id that the deployment shows as a number is one where the word is all of a string. */
export type WordValues = Readonly<Partial<Record<BodyWord, string | number | ExactNumber>>>;

/** A body with the values put in for the words; a word without a value stays as it is. */
export function fillBody(body: unknown, values: WordValues): unknown {
  if (typeof body === 'string') {
    const only = values[/^\{\{\s*(\w+)\s*\}\}$/.exec(body)?.[1] as BodyWord];
    if (only !== undefined) {
      return only;
    }
    return body.replace(/\{\{\s*([\w:+-]+)\s*\}\}/g, (whole, word: string) => wordValue(word, values) ?? whole);
  }
  if (Array.isArray(body)) {
    return body.map((item) => fillBody(item, values));
  }
  if (!isObject(body)) {
    return body;
  }
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, fillBody(value, values)]));
}

const textOf = (value: WordValues[BodyWord]): string | undefined =>
  typeof value === 'object' ? value.rawJSON : value === undefined ? undefined : String(value);

function wordValue(word: string, values: WordValues): string | undefined {
  const [, name, amount, unit = ''] = moved.exec(word) ?? [];
  if (name === undefined) {
    return textOf(values[word as BodyWord]);
  }
  const at = Date.parse(textOf(values[name as BodyWord]) ?? '');
  return Number.isNaN(at) ? undefined : isoOf(new Date(at + Number(amount) * (unitMs[unit] ?? 0)));
}

/** A time as ISO 8601, to the second. */
export const isoOf = (at: Date): string => at.toISOString().replace(/\.\d+Z$/, 'Z');

/** Whether one of these words is in a body. */
export const usesWord = (body: unknown, ...wanted: readonly BodyWord[]): boolean =>
  wanted.some((word) => new RegExp(`\\{\\{\\s*${word}\\b`).test(JSON.stringify(body) ?? ''));
