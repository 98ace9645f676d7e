import { isObject, mapLeaves } from '../common/json.ts';
import { checkedJson, WrongAt } from '../common/json-file.ts';
import { nearestHint } from '../common/nearest.ts';
import { endpoints } from '../contract/endpoints.ts';
import schema from './bodies.schema.json' with { type: 'json' };

/** Where a deployment shows what the suite looks for, as JSON pointers. */
export interface Shape {
  /** Into a record. */
  readonly id?: string;
  /** Into the answer of a list. */
  readonly rows?: string;
  /** Into a page: the cursor, link or number of the next one. */
  readonly next?: string;
}

/** Shapes by what lists are called: `agents`, `keys`, `campaigns`. */
export type Shapes = Readonly<Record<string, Shape>>;

/** What the list or record of a path is called: `agents` for `/v1/agents` and `/v1/agents/:id`. */
export const shapeName = (path: string): string =>
  path
    .replace(/\/:id(?:\/.*)?$/, '')
    .split('/')
    .at(-1) ?? '';

/** The user's own request bodies by documented call: `POST /v1/agents`. */
type UserBodies = Readonly<Record<string, object>>;

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
export type BodiesFile = ReturnType<typeof parseBodies>;

/** Reads the file that BODIES names. Throws WrongAt. */
export function parseBodies(json: unknown) {
  const unknown = Object.keys(isObject(json) ? json : {}).find((name) => /[\s/]/.test(name) && !calls.includes(name));
  if (unknown !== undefined) {
    const why = `is not a documented call with a body${nearestHint(unknown, calls)}`;
    throw new WrongAt([unknown], `${JSON.stringify(unknown)} ${why}`);
  }
  const { $schema: _, shapes = {}, ...bodies } = checkedJson<UserBodies & { shapes?: Shapes }>(schema, json);
  for (const [call, body] of Object.entries(bodies)) {
    const words = [...JSON.stringify(body).matchAll(/\{\{(.*?)\}\}/g)].map(([, word = '']) => word);
    const wrong = words.find((word) => !isWord(word.trim()));
    if (wrong !== undefined) {
      const known = bodyWords.map((one) => `{{${one}}}`).join(', ');
      const must = `must be one of ${known}; times may be moved: {{slot_start:+90m}}`;
      throw new WrongAt([call], `${JSON.stringify(call)}: got {{${wrong}}}, ${must}`);
    }
  }
  return { bodies, shapes };
}

/** The values of words. An id that the deployment shows as a number is one where the word is all of a string. */
export type WordValues = Readonly<Partial<Record<BodyWord, string | number>>>;

/** A body with the values put in for the words; a word without a value stays as it is. */
export const fillBody = (body: unknown, values: WordValues): unknown =>
  mapLeaves(body, (text) => {
    if (typeof text !== 'string') {
      return text;
    }
    const only = values[/^\{\{\s*(\w+)\s*\}\}$/.exec(text)?.[1] as BodyWord];
    const filled = (whole: string, word: string): string => wordValue(word, values) ?? whole;
    return only ?? text.replace(/\{\{\s*([\w:+-]+)\s*\}\}/g, filled);
  });

function wordValue(word: string, values: WordValues): string | undefined {
  const [, name, amount, unit = ''] = moved.exec(word) ?? [];
  if (name === undefined) {
    return values[word as BodyWord]?.toString();
  }
  const at = Date.parse(String(values[name as BodyWord]));
  return Number.isNaN(at) ? undefined : isoOf(new Date(at + Number(amount) * (unitMs[unit] ?? 0)));
}

/** A time as ISO 8601, to the second. */
export const isoOf = (at: Date): string => at.toISOString().replace(/\.\d+Z$/, 'Z');

/** Whether one of these words is in a body. */
export const usesWord = (body: unknown, ...wanted: readonly BodyWord[]): boolean =>
  wanted.some((word) => new RegExp(`\\{\\{\\s*${word}\\b`).test(JSON.stringify(body) ?? ''));
