/**
 * Quotes by clause (`auth.header`), out of rows of a document's words and the clauses that rest on them. The cells of a
 * table's row are parted by ` · `, passages by ` … `.
 */
export const quotesBy = (rows: readonly (readonly [words: string, clauses: string])[]): ReadonlyMap<string, string> =>
  new Map(rows.flatMap(([words, clauses]) => clauses.split(' ').map((clause) => [clause, words] as const)));
