import { isObject, type JsonObject, parseJson } from './json.ts';
import { jsonTrouble } from './nesting.ts';

/** Documents within documents deeper than this are left as they are. */
const deepest = 40;

/**
 * A JSON document with the parts that are written in another form in plain form: a text that is a JSON object or list
 * becomes it, and a list of names and values (`[{"name": "id", "value": 7}, …]`) becomes an object. The same document if
 * it has no such parts.
 */
export function plainForm(json: unknown, depth = 0): unknown {
  if (depth > deepest) {
    return json;
  }
  if (typeof json === 'string') {
    const inner = documentIn(json);
    return inner === undefined ? json : plainForm(inner, depth + 1);
  }
  if (Array.isArray(json)) {
    const items = json.map((item) => plainForm(item, depth + 1));
    return objectOf(items) ?? (items.every((item, at) => item === json[at]) ? json : items);
  }
  if (!isObject(json)) {
    return json;
  }
  const fields = Object.entries(json).map(([name, value]) => [name, plainForm(value, depth + 1)] as const);
  return fields.every(([name, value]) => value === json[name]) ? json : Object.fromEntries(fields);
}

function documentIn(text: string): unknown {
  const trimmed = text.trim();
  const isLikely =
    ['{}', '[]'].includes(`${trimmed.at(0)}${trimmed.at(-1)}`) && jsonTrouble(Buffer.from(text)) === null;
  const document = isLikely ? parseJson(trimmed) : undefined;
  return typeof document === 'object' && document !== null ? document : undefined;
}

/** The object that a list of names and values stands for. */
function objectOf(items: readonly unknown[]): JsonObject | undefined {
  // A name, a value, and a label or a type; a single item has no more than the first two.
  const mostParts = items.length > 1 ? 3 : 2;
  const pairs = items.flatMap((item) => pairOf(item, mostParts) ?? []);
  const isPaired = pairs.length === items.length && pairs.some(({ value }) => value !== undefined);
  const names = new Set(pairs.map(({ name }) => name));
  return isPaired && names.size === pairs.length
    ? Object.fromEntries(pairs.map(({ name, value = null }) => [name, value]))
    : undefined;
}

/** What an item of such a list stands for; where it has nothing but a name, its value was left out. */
function pairOf(item: unknown, mostParts: number): { readonly name: string; readonly value?: unknown } | undefined {
  if (!isObject(item)) {
    return undefined;
  }
  const name = item.name ?? item.key;
  const parts = Object.keys(item).length;
  const isPair = Object.hasOwn(item, 'value') ? parts <= mostParts : parts === 1;
  return typeof name === 'string' && isPair ? { name, value: item.value } : undefined;
}
