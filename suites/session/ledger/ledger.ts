import { isObject, parseJson } from '../../../common/json.ts';
import type { ApiName } from '../../../contract/clause.ts';

/** A record about to be created: enough to find and delete it later, also by a later run. */
export interface Intent {
  readonly api: ApiName;
  /** Origin of the target, so that clean-up only touches the deployment where the record was made. */
  readonly origin: string;
  /** Path of the collection; DELETE on `${collection}/${id}` deletes the record. */
  readonly collection: string;
  /** Label of the key it is made with: the setting of a given one. */
  readonly keySetting: string;
  /** The run's tag and a number. A field of the record holds it, so that it is found even if its id is never learnt. */
  readonly tag: string;
  /** The letters of the names of the fields that were sent with the tag. */
  readonly fields?: readonly string[];
  /** Its body does not hold the tag, so its absence from a list proves nothing. */
  readonly untraceable?: true;
  /** The API has no call that deletes the record: the entry is for the report alone. */
  readonly lasting?: true;
}

export interface Entry extends Intent {
  readonly number: number;
  /** Set once the answer to the create showed it. */
  readonly id?: string;
  /** The record was deleted, or never made; false: its deletion had no effect. */
  readonly gone?: boolean;
  /** The record exists, whether it can be found or not. */
  readonly accepted?: true;
  /** What the answer to its create called its ids, proven or not. */
  readonly answeredIds?: readonly string[];
  /** The create was refused: the record should not exist, but a broken deployment may have made it. */
  readonly refused?: true;
}

/** What an entry said before its create was sent: for another record of the same kind and words. */
export function intentOf(entry: Entry): Intent {
  const { number: _, id, gone, accepted, answeredIds, refused, ...intent } = entry;
  return intent;
}

/** What a run creates, and what it has not deleted yet. A line is on disk before the create is sent. */
export type Ledger = ReturnType<typeof createLedger>;

/**
 * A ledger that writes its lines to `sink`, which has them on disk when it returns. `lines`: those of an earlier run.
 */
export function createLedger(sink: (line: string) => void, lines: readonly string[] = []) {
  const entries = new Map<number, Entry>();
  const others = new Map<string, Set<string>>();

  /** Applies a line. Whether it is one. */
  function apply(line: unknown): boolean {
    if (!isObject(line)) {
      return false;
    }
    if ('others' in line) {
      const { collection, others: ids } = line;
      if (typeof collection !== 'string' || !isTexts(ids)) {
        return false;
      }
      others.set(collection, new Set([...(others.get(collection) ?? []), ...ids.map(anyCase)]));
      return true;
    }
    const entry = { ...entries.get(Number(line.number)), ...line } as Entry;
    const texts = [entry.api, entry.origin, entry.collection, entry.keySetting, entry.tag];
    const isEntry = typeof entry.number === 'number' && isTexts(texts);
    if (isEntry) {
      entries.set(entry.number, entry);
    }
    return isEntry;
  }

  const unreadable = lines.filter((line) => !apply(parseJson(line))).length;
  const write = (change: (Partial<Entry> & { number: number }) | { collection: string; others: string[] }): void => {
    sink(JSON.stringify(change));
    apply(change);
  };
  const remaining = (isWanted: (entry: Entry) => boolean): Entry[] =>
    [...entries.values()].filter((entry) => !entry.gone && isWanted(entry));
  return {
    /** Writes an entry before the create is sent. */
    intend(intent: Intent): Entry {
      const entry = { number: Math.max(0, ...entries.keys()) + 1, ...intent };
      write(entry);
      return entry;
    },
    /** Notes what a call showed of the record. */
    note: ({ number }: Entry, shown: Partial<Omit<Entry, keyof Intent | 'number'>>) => write({ number, ...shown }),
    /** The entries to delete, latest first. */
    toDelete: (): Entry[] => remaining((entry) => !entry.lasting && !isRefusedCreate(entry)).reverse(),
    /** The entries of existing records that the API cannot delete. */
    undeletable: (): Entry[] => remaining((entry) => entry.lasting === true && !isRefusedCreate(entry)),
    /** All entries, in the order of their creation. */
    all: (): Entry[] => [...entries.values()],
    /** Notes the ids that a collection had before the run created any record: no record of the run has one of them. */
    noteOthers(collection: string, ids: readonly string[]): void {
      const added = ids.filter((id) => others.get(collection)?.has(anyCase(id)) !== true);
      if (added.length > 0) {
        write({ collection, others: added });
      }
    },
    /** Whether a record that was there before has that id. */
    isOther: (collection: string, id: string): boolean => others.get(collection)?.has(anyCase(id)) === true,
    /** How many lines of an earlier ledger could not be read: what they named is unknown. */
    unreadable,
  };
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

/** A database may compare ids without regard to case: what differs in it alone may be one record. */
const anyCase = (id: string): string => id.toLowerCase();

const isRefusedCreate = ({ refused, accepted }: Entry): boolean => refused === true && accepted !== true;

/** A ledger in memory, for a deployment that ends with the run. */
export const memoryLedger = (): Ledger => createLedger(() => {});
