/**
 * The quote of each clause (`auth.header`), from rows of a document's words and the clauses that rest on them,
 * separated by blanks. In the words, ` · ` separates the cells of a table's row, and ` … ` separates passages.
 */
export const quotesBy = (rows: readonly (readonly [words: string, clauses: string])[]): ReadonlyMap<string, string> =>
  new Map(rows.flatMap(([words, clauses]) => clauses.split(' ').map((clause) => [clause, words] as const)));
