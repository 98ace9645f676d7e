/** An integer that no JavaScript number holds, such as a snowflake id: JSON.stringify writes its digits as a number. */
export interface ExactNumber {
  readonly rawJSON: string;
}

/**
 * Parses JSON without loss: an integer that no JavaScript number holds is given as its digits. Throws where the text is no
 * JSON.
 */
export const parseExactly = (text: string): unknown => parse(text, (digits) => digits);

export const exactNumber = (digits: string): ExactNumber => (JSON as unknown as RawJson).rawJSON(digits);

/** A body with other words in it. */
export const reword = (body: unknown, words: string, others: string): unknown =>
  parse(JSON.stringify(body).replaceAll(words, others), exactNumber);

function parse(text: string, exactly: (digits: string) => unknown): unknown {
  const revive = (_: string, value: unknown, { source = '' }: Context): unknown =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? exactly(source) : value;
  // A reviver takes time: only a text that may hold such a number is worth it.
  return /\d{16}/.test(text) ? JSON.parse(text, revive as Parameters<typeof JSON.parse>[1]) : JSON.parse(text);
}

/** What TypeScript does not know yet of JSON. */
interface RawJson {
  rawJSON(text: string): ExactNumber;
}
interface Context {
  readonly source?: string;
}
