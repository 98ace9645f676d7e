import type { JsonObject } from '../../../common/json.ts';
import type { Session } from '../../session/session.ts';
import { readingOf } from '../collections.ts';
import { rowsBefore } from './earlier-rows.ts';
import type { Reading, ReadResult, Step } from './evidence.ts';
import type { NewRecord } from './new-record.ts';

/** What was read of the list. Rows as they came, secrets and all. */
export interface Listed {
  /** The record's row; undefined: none was found. */
  readonly row: JsonObject | undefined;
  readonly others: readonly JsonObject[];
  /** The list has no rows but these. */
  readonly isWhole: boolean;
}

/** All that was read to find out the id of a record. */
export interface Sources {
  readonly collection: string;
  readonly tag: string;
  /** Words that stand in all records of the run. */
  readonly runTag: string;
  readonly reading: Reading;
  /** The steps that can still be made. */
  readonly open: ReadonlySet<Step>;
  /** null: the answer to its create is not known any more. */
  readonly record: NewRecord | null;
  /** Whether it may be too new to be found by its id. */
  readonly isNew: boolean;
  readonly listed: Listed;
  /** Rows that lists showed before the record was created. */
  readonly earlierRows: readonly JsonObject[];
  /**
   * The id that the answer shows where the first record of the kind had its own; undefined: none, or this is the first.
   */
  readonly taught: string | undefined;
  readonly reads: ReadonlyMap<string, ReadResult>;
}

/** The sources from which an investigation starts. */
export function sourcesOf(
  session: Session,
  { collection, tag, record, isNew }: Pick<Sources, 'collection' | 'tag' | 'record' | 'isNew'>,
): Sources {
  const call = readingOf(session.api.endpoints, collection);
  return {
    collection,
    tag,
    runTag: session.tag,
    reading: call === undefined ? 'none' : call.isView ? 'shows the record' : 'takes the id',
    open: new Set<Step>([...(call === undefined ? [] : ['reads' as const]), 'list', 'all pages']),
    record,
    isNew,
    listed: { row: undefined, others: [], isWhole: false },
    earlierRows: record === null ? [] : rowsBefore(session, record),
    taught: undefined,
    reads: new Map(),
  };
}

/** The sources, once some steps can be made no more. */
export const without = (sources: Sources, ...steps: readonly Step[]): Sources => ({
  ...sources,
  open: new Set([...sources.open].filter((step) => !steps.includes(step))),
});
