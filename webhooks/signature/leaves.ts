import { bounds } from './bounds.ts';
import type { Delivery } from './delivery.ts';
import { headerValues } from './delivery.ts';

/** A text or number somewhere inside the body, with its JSON pointer. */
export interface Leaf {
  readonly pointer: string;
  readonly text: string;
}

/** The body as JSON (a form becomes a flat object); undefined where it is neither or too large to parse. */
export function parseBody(delivery: Pick<Delivery, 'body' | 'headers'>): unknown {
  if (delivery.body.length === 0 || delivery.body.length > bounds.parsedBody) {
    return undefined;
  }
  const text = delivery.body.toString('utf8');
  if (headerValues(delivery, 'content-type').some((type) => type.includes('x-www-form-urlencoded'))) {
    return Object.fromEntries(new URLSearchParams(text));
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Texts, numbers and booleans of a parsed body, breadth first, so that a bound cuts the deepest. */
export function leavesOf(body: unknown): Leaf[] {
  const found: Leaf[] = [];
  let level: (readonly [string, unknown])[] = [['', body]];
  let visited = 0;
  for (let depth = 0; depth < bounds.depth && level.length > 0; depth += 1) {
    const next: (readonly [string, unknown])[] = [];
    for (const [pointer, value] of level) {
      if ((visited += 1) > bounds.leaves) {
        return found;
      }
      if (typeof value === 'object' && value !== null) {
        for (const key of Object.keys(value).slice(0, bounds.leaves)) {
          next.push([`${pointer}/${escapePointer(key)}`, (value as Record<string, unknown>)[key]]);
        }
      } else if (value !== null && value !== undefined && pointer !== '') {
        const text = String(value);
        if (text.length <= bounds.headerLength) {
          found.push({ pointer, text });
        }
      }
    }
    level = next;
  }
  return found;
}

/** What stands at a JSON pointer, as text; undefined where nothing does or it is an object. */
export function atPointer(body: unknown, pointer: string): string | undefined {
  let value = body;
  for (const step of pointer.split('/').slice(1)) {
    if (typeof value !== 'object' || value === null) {
      return undefined;
    }
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    value = Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
  }
  return value === undefined || value === null || typeof value === 'object' ? undefined : String(value);
}

export const escapePointer = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** The pointer of the object that holds the value at `pointer`. */
export const parentOf = (pointer: string): string => pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')));
