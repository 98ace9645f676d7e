import { isObject, parseExactly, scalarText } from './json.ts';

/**
 * An integer too large for a JavaScript number, such as a snowflake id. JSON.stringify writes its digits as a number.
 */
export interface ExactNumber {
  readonly rawJSON: string;
}

/** TypeScript does not know these two of JSON yet. */
const { rawJSON, isRawJSON } = JSON as unknown as {
  rawJSON(digits: string): ExactNumber;
  isRawJSON(value: unknown): value is ExactNumber;
};

export const exactNumber = (digits: string): ExactNumber => rawJSON(digits);

/** A request body as it would be read from an answer: an exact number becomes the string of its digits. */
export const asRead = (body: unknown): unknown => (body === undefined ? body : parseExactly(JSON.stringify(body)));

/** The body with what `change` makes of each text, number and flag in it. */
export function mapLeaves(body: unknown, change: (leaf: unknown) => unknown): unknown {
  if (Array.isArray(body)) {
    return body.map((item) => mapLeaves(item, change));
  }
  return isObject(body) && !isRawJSON(body)
    ? Object.fromEntries(Object.entries(body).map(([name, item]) => [name, mapLeaves(item, change)]))
    : change(body);
}

/** The body with `words` replaced by `others` in its texts. */
export const reword = (body: unknown, words: string, others: string): unknown =>
  mapLeaves(body, (leaf) => (typeof leaf === 'string' ? leaf.replaceAll(words, others) : leaf));

/** The body with an id in place of each value that is one of `ids`: a number gives way to a number, if the id is one. */
export const renamed = (body: unknown, ids: readonly string[], id: string): unknown =>
  mapLeaves(body, (leaf) => {
    const text = isRawJSON(leaf) ? leaf.rawJSON : scalarText(leaf);
    const isNumber = typeof leaf !== 'string' && /^(0|[1-9]\d*)$/.test(id);
    return text === null || !ids.includes(text) ? leaf : isNumber ? exactNumber(id) : id;
  });
