import { isObject } from '../common/json.ts';
import { wrongAt } from '../common/json-place.ts';
import { nearestHint } from '../common/nearest.ts';
import { endpoints } from '../contract/endpoints.ts';

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

const places = ['id', 'rows', 'next'] as const;
const pointer = /^(?:\/(?:[^~/]|~[01])*)*$/;

const names = [
  ...new Set(
    endpoints.flatMap(({ method, path }) => (method === 'GET' && !path.includes(':id') ? [shapeName(path)] : [])),
  ),
];

/** The `shapes` in the file that BODIES names. Throws an Error that names the place in it and what it must be. */
export function parseShapes(json: unknown): Shapes {
  if (!isObject(json)) {
    throw wrongAt(['shapes'], '"shapes" must be an object such as {"agents": {"id": "/uid"}}');
  }
  return Object.fromEntries(Object.entries(json).map(([name, shape]) => [name, parseShape(name, shape)]));
}

function parseShape(name: string, shape: unknown): Shape {
  const wrong = (says: string, ...key: string[]): Error =>
    wrongAt(['shapes', name, ...key], `"shapes": ${JSON.stringify(name)}${says}`);
  if (!names.includes(name)) {
    throw wrong(` is no list${nearestHint(name, names)}, must be one of ${names.join(', ')}`);
  }
  if (!isObject(shape)) {
    throw wrong(' must be an object such as {"id": "/uid", "rows": "/data/items", "next": "/paging/next"}');
  }
  for (const [key, value] of Object.entries(shape)) {
    if (!(places as readonly string[]).includes(key)) {
      throw wrong(`: ${JSON.stringify(key)} must be one of ${places.join(', ')}`, key);
    }
    if (typeof value !== 'string' || !pointer.test(value)) {
      throw wrong(`: ${key} must be a JSON pointer such as "/data/items"`, key);
    }
  }
  return shape;
}
