import { parseJson, scalarText, walk } from '../../common/json.ts';
import { jsonTrouble } from '../../common/nesting.ts';
import { bounds } from './bounds.ts';
import { type Delivery, headerValues } from './delivery.ts';

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
  return jsonTrouble(delivery.body, bounds.parsedValues) === null ? parseJson(text) : undefined;
}

/** The leaves of a parsed body, shallow ones first, so that the bound cuts off deep ones. */
export const leavesOf = (body: unknown): Leaf[] =>
  walk(body, bounds.leaves)
    .slice(1, bounds.leaves)
    .map(({ pointer, value }) => ({ pointer, text: scalarText(value) ?? '' }))
    .filter(({ text }) => text !== '' && text.length <= bounds.headerLength);
