/**
 * How binding a clause is. A document states a must; a should follows from it on a fair reading; a gap it leaves open.
 */
type Level = 'must' | 'should' | 'gap';

export const apiNames = ['developer', 'workspace'] as const;

/** The API that a clause is about, and the first part of its id. */
export type ApiName = (typeof apiNames)[number];

/** One requirement of one of the two documents. Ids are an interface: never reused, never renamed. */
export interface Clause {
  readonly id: `${ApiName}.${string}.${string}`;
  readonly level: Level;
  /** The requirement as a fact about a conformant deployment. */
  readonly title: string;
  /** Document, section and rule that state it. */
  readonly source: string;
  /** The document's own words. */
  readonly quote: string;
  /** Whether it is judged on every exchange of the run with that API, whatever the exchange was made for. */
  readonly everyResponse: boolean;
}

type Row = readonly [id: string, level: Level, title: string];

/**
 * The document's words, each followed by the clauses that rest on them. ` · ` separates the cells of a table's row in
 * them, and ` … ` separates passages.
 */
type Entries = readonly [words: string, ...(Row | string)[]];

type Chapter = (name: string, section: string, everyResponse: boolean, entries: Entries) => Clause[];

/**
 * Makes the clauses of one API chapter by chapter. `name` is the second part of their ids, `section` the place in the
 * document.
 */
export const chapterMaker =
  (api: ApiName): Chapter =>
  (name, section, everyResponse, [first, ...entries]) => {
    let quote = first;
    return entries.flatMap((entry) => {
      if (typeof entry === 'string') {
        quote = entry;
        return [];
      }
      const [id, level, title] = entry;
      return [{ id: `${api}.${name}.${id}`, level, title, source: `${api} API, ${section}`, quote, everyResponse }];
    });
  };
