import { largeIntegersAs, parseExactly } from './json.ts';

/**
 * An integer too large for a JavaScript number, such as a snowflake id. JSON.stringify writes its digits as a number.
 */
export interface ExactNumber {
  readonly rawJSON: string;
}

/** TypeScript does not know `JSON.rawJSON` yet. */
const { rawJSON } = JSON as unknown as { rawJSON(digits: string): ExactNumber };

export const exactNumber = (digits: string): ExactNumber => rawJSON(digits);

/** A request body as it would be read from an answer: an exact number becomes the string of its digits. */
export const asRead = (body: unknown): unknown => (body === undefined ? body : parseExactly(JSON.stringify(body)));

/** The body with `words` replaced by `others` wherever they occur; exact numbers stay exact. */
export const reword = (body: unknown, words: string, others: string): unknown =>
  JSON.parse(JSON.stringify(body).replaceAll(words, others), exactly);

const exactly = largeIntegersAs(exactNumber);

/**
 * The body with an id in place of each value that is one of `ids`; exact numbers stay exact. A number is replaced by a
 * number, if the id is one.
 */
export const renamed = (body: unknown, ids: readonly string[], id: string): unknown =>
  JSON.parse(JSON.stringify(body), (name, value: unknown, context: { readonly source?: string } = {}) => {
    const isNumber = typeof value === 'number';
    if (!ids.includes(isNumber ? (context.source ?? '') : typeof value === 'string' ? value : '')) {
      return exactly(name, value, context);
    }
    return isNumber && /^(0|[1-9]\d*)$/.test(id) ? exactNumber(id) : id;
  });
