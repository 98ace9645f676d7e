/** How binding a clause is: a document states it, follows from it on a fair reading, or leaves it open. */
type Level = 'must' | 'should' | 'gap';

/** The API a clause speaks of, and the first part of its id. */
export type Api = 'developer' | 'workspace';

/** One requirement of one of the two documents. Ids are an interface: never reused, never renamed. */
export interface Clause {
  readonly id: `${Api}.${string}.${string}`;
  readonly level: Level;
  /** The requirement as a fact about a conformant deployment. */
  readonly title: string;
  /** Document, section and rule that state it. */
  readonly source: string;
  /** The document's own words (quote.ts). */
  readonly quote: string;
  /** Judged on every exchange of the run with that API, whatever caused it. */
  readonly everyResponse: boolean;
}
