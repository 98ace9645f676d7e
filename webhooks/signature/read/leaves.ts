import { at, parseExactly, walk } from '../../../common/json.ts';
import { jsonTrouble } from '../../../common/nesting.ts';
import type { Delivery } from '../delivery.ts';
import { headerValues } from '../delivery.ts';
import { bounds } from './bounds.ts';

/** A text, number or boolean somewhere inside the body, with its JSON pointer. */
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
    return jsonTrouble(delivery.body, bounds.parsedValues) === null ? parseExactly(text) : undefined;
  } catch {
    return undefined;
  }
}

/** The leaves of a parsed body, breadth first, so that the bound cuts the deepest. */
export const leavesOf = (body: unknown): Leaf[] =>
  walk(body, bounds.leaves)
    .slice(1, bounds.leaves)
    .map(({ pointer, value }) => ({ pointer, text: scalarText(value) ?? '' }))
    .filter(({ text }) => text !== '' && text.length <= bounds.headerLength);

/** What stands at a JSON pointer, as text; undefined where nothing does or it is an object. */
export const textAtPointer = (body: unknown, pointer: string): string | undefined => scalarText(at(body, pointer));

const scalarText = (value: unknown): string | undefined =>
  value === undefined || value === null || typeof value === 'object' ? undefined : String(value);
