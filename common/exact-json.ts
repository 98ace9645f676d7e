import { parseExactly } from './json.ts';

/** An integer that no JavaScript number holds, such as a snowflake id: JSON.stringify writes its digits as a number. */
interface ExactNumber {
  readonly rawJSON: string;
}

/** What TypeScript does not know yet of JSON. */
const { rawJSON } = JSON as unknown as { rawJSON(digits: string): ExactNumber };

export const exactNumber = (digits: string): ExactNumber => rawJSON(digits);

/** A body as answers are read that show the same: such integers are texts. */
export const asRead = (body: unknown): unknown => (body === undefined ? body : parseExactly(JSON.stringify(body)));

/** A body with other words in it. */
export const reword = (body: unknown, words: string, others: string): unknown =>
  JSON.parse(JSON.stringify(body).replaceAll(words, others), exactly);

const exactly = (_: string, value: unknown, { source = '' }: { readonly source?: string } = {}): unknown =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? exactNumber(source) : value;
