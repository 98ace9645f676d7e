import { at, parseExactly, scalarText, walk } from '../../../common/json.ts';
import { jsonTrouble } from '../../../common/nesting.ts';
import type { Delivery } from '../delivery.ts';
import { headerValues } from '../delivery.ts';
import { bounds } from './bounds.ts';

/** A text, number or boolean in the body, as text, with its JSON pointer. */
export interface Leaf {
  readonly pointer: string;
  readonly text: string;
}

/** The body as JSON, or a form as a flat object; undefined if it is neither, or too large to parse. */
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

/** The leaves of a parsed body, shallow ones first, so that the bound cuts off deep ones. */
export const leavesOf = (body: unknown): Leaf[] =>
  walk(body, bounds.leaves)
    .slice(1, bounds.leaves)
    .map(({ pointer, value }) => ({ pointer, text: scalarText(value) ?? '' }))
    .filter(({ text }) => text !== '' && text.length <= bounds.headerLength);

/** The value at a JSON pointer as text; undefined if there is none, or if it is null, an object or a list. */
export const textAtPointer = (body: unknown, pointer: string): string | undefined =>
  scalarText(at(body, pointer)) ?? undefined;
