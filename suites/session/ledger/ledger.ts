import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { CannotRun } from '../../../common/cannot-run.ts';
import { fileTrouble } from '../../../common/file-trouble.ts';
import type { Api } from '../../../contract/clause.ts';
import type { Fingerprint } from '../reading/fingerprint.ts';

/** Where the ledgers of runs lie until everything in them is deleted: independent of REPORTS_DIR, so that cleanup finds them. */
export const ledgerFolder = '.ledger';

/** A thing about to be created: enough to find and delete it later. */
export interface Intent {
  readonly api: Api;
  /** Origin of the target, so that cleanup only touches the deployment where it was made. */
  readonly origin: string;
  /** Path of the collection it is created in; `${collection}/${id}` deletes it. */
  readonly collection: string;
  /** Setting that holds the key with which it was made; a key the run made counts as its maker's. */
  readonly keySetting: string;
  /** The run's tag, and a number: stands in a field of the thing, so that it is found where its id was never learnt. */
  readonly tag: string;
  /** What tells it where it shows none of its words. */
  readonly fingerprint?: Fingerprint;
  /** Its body holds none of its words, and nothing else that would tell it: that a list does not show it proves nothing. */
  readonly untraceable?: true;
  /** The API has no call that deletes it: it is kept for the report alone. */
  readonly lasting?: true;
}

export interface Entry extends Intent {
  readonly number: number;
  /** Set once the answer to the create was read. */
  readonly id?: string;
  /** Further ids of its own, where no read tells which one paths take. */
  readonly otherIds?: readonly string[];
  readonly gone?: boolean;
  /** There is something, whether it can be found or not. */
  readonly accepted?: true;
  /** The create was refused: there should be nothing. */
  readonly refused?: true;
}

/** What a run created and has not deleted yet. A line is on disk before the create is sent. */
export interface Ledger {
  /** Before the create. */
  intend(intent: Intent): Entry;
  /** After the create: the thing's id, and others that may be the one that paths take. */
  identify(entry: Entry, id: string, otherIds?: readonly string[]): void;
  /** After a create that was accepted, and whose answer shows no id of its own; or that was refused, and made something all the same. */
  accept(entry: Entry): void;
  /** After a refusal of the create: a broken deployment may have made the thing all the same. */
  doubt(entry: Entry): void;
  /** After the delete, or when nothing was made for certain. */
  remove(entry: Entry): void;
  /** After a delete that was accepted and did nothing. */
  reopen(entry: Entry): void;
  /** What is to be deleted, latest first. */
  open(): Entry[];
  /** What was refused, and is still to be looked for; of what cannot be deleted only where such a thing was made before. */
  doubtful(): Entry[];
  /** What the API cannot delete, and is there. */
  lasting(): Entry[];
  /** What was created, deleted meanwhile or not, in order. */
  all(): Entry[];
  /** How many of the lines that were read tell nothing: what they named is unknown. */
  readonly unreadable: number;
}

/** Called with each line, which must be safe when it returns. */
type Sink = (line: string) => void;

export function createLedger(sink: Sink, read: readonly string[] = []): Ledger {
  const entries = new Map<number, Entry>();
  const unreadable = read.filter((line) => !apply(entries, line)).length;
  const write = (entry: Partial<Entry> & { number: number }): void => {
    const line = JSON.stringify(entry);
    sink(line);
    apply(entries, line);
  };
  return {
    intend(intent) {
      const entry = { number: Math.max(0, ...entries.keys()) + 1, ...intent };
      write(entry);
      return entry;
    },
    identify: (entry, id, otherIds = []) => {
      write({ number: entry.number, id, ...(otherIds.length > 0 ? { otherIds } : {}) });
    },
    accept: (entry) => {
      write({ number: entry.number, accepted: true });
    },
    doubt: (entry) => {
      write({ number: entry.number, refused: true });
    },
    remove: (entry) => {
      write({ number: entry.number, gone: true });
    },
    reopen: (entry) => {
      write({ number: entry.number, gone: false });
    },
    open: () => [...entries.values()].filter((entry) => isOpen(entry) && !isDoubtful(entry)).reverse(),
    doubtful: () => {
      const made = [...entries.values()].filter(({ lasting, refused, accepted }) => lasting && refused && accepted);
      const isLooked = (entry: Entry): boolean =>
        isOpen(entry) || made.some(({ collection }) => collection === entry.collection);
      return [...entries.values()].filter((entry) => isDoubtful(entry) && !entry.gone && isLooked(entry));
    },
    lasting: () => [...entries.values()].filter((entry) => entry.lasting && !entry.gone && !isDoubtful(entry)),
    all: () => [...entries.values()],
    unreadable,
  };
}

const isDoubtful = ({ refused, accepted }: Entry): boolean => refused === true && accepted !== true;
const isOpen = ({ gone, lasting }: Entry): boolean => !gone && !lasting;

/** Takes in what a line says; whether it says anything. */
function apply(entries: Map<number, Entry>, line: string): boolean {
  try {
    const change = JSON.parse(line) as Entry;
    const entry = { ...entries.get(change.number), ...change };
    const isEntry = typeof entry.number === 'number' && typeof entry.collection === 'string';
    if (isEntry) {
      entries.set(entry.number, entry);
    }
    return isEntry;
  } catch {
    return false;
  }
}

/** A ledger in memory, for a deployment that ends with the run. */
export const memoryLedger = (): Ledger => createLedger(() => {});

export interface LedgerFile {
  readonly ledger: Ledger;
  readonly path: string;
  /** Closes the file, and deletes it where nothing in it is open, and all of it could be read. */
  close(): void;
}

/** A ledger in a file of its own; every line is flushed to disk. Throws what the file system throws. */
export function openLedger(name: string, folder = ledgerFolder): LedgerFile {
  const path = join(folder, `${name}.jsonl`);
  let descriptor: number | null = null;
  const sink = (line: string): void => {
    if (descriptor === null) {
      mkdirSync(folder, { recursive: true });
      descriptor = openSync(path, 'a');
      ftruncateSync(descriptor, whole.length);
    }
    writeSync(descriptor, `${line}\n`);
    fsyncSync(descriptor);
  };
  const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
  // A kill may have cut off the last line: nothing was sent for it, and it must not swallow the next one.
  const whole = bytes.subarray(0, bytes.lastIndexOf('\n') + 1);
  const text = whole.toString('utf8');
  const ledger = createLedger(
    sink,
    text.split('\n').filter((line) => line !== ''),
  );
  return {
    ledger,
    path,
    close() {
      if (descriptor !== null) {
        closeSync(descriptor);
      }
      descriptor = null;
      if (ledger.open().length === 0 && ledger.unreadable === 0 && existsSync(path)) {
        rmSync(path, { force: true });
      }
    },
  };
}

/** Tries whether ledgers can be written, before anything is sent whose creation one has to say. Throws CannotRun. */
export function tryLedgers(folder = ledgerFolder): void {
  const file = join(folder, `.${process.pid}.trial`);
  try {
    mkdirSync(folder, { recursive: true });
    try {
      writeFileSync(file, '\n', { flush: true });
    } finally {
      rmSync(file, { force: true });
    }
  } catch (error) {
    const why = `${fileTrouble(error)}; make it a folder that can be written, or set WRITES=none`;
    throw new CannotRun(`Cannot write ${folder}, where a run says what it creates: ${why}`);
  }
}

/** Names of the ledgers that earlier runs left: of files alone, since no run writes anything else. Throws CannotRun. */
export function leftLedgers(folder = ledgerFolder): string[] {
  if (!existsSync(folder)) {
    return [];
  }
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((file) => file.isFile() && file.name.endsWith('.jsonl'))
      .map(({ name }) => name.slice(0, -'.jsonl'.length))
      .sort();
  } catch (error) {
    throw new CannotRun(`Cannot read ${folder}, where runs say what they created: ${fileTrouble(error)}`);
  }
}
