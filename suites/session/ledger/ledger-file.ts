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
import { createLedger, type Ledger } from './ledger.ts';

/** Where ledgers lie until everything in them is deleted. REPORTS_DIR does not move it, so that clean-up finds them. */
export const ledgerFolder = '.ledger';

export interface LedgerFile {
  readonly ledger: Ledger;
  readonly path: string;
  /** Closes the file. Deletes it where nothing in it remains to be deleted and all of it could be read. */
  close(): void;
}

/**
 * A ledger in a file, with the entries that it holds. Flushes every line. `onTrouble` is called with the reason if a
 * line cannot be written, such as on a full disk; the ledger in memory then goes on. Throws what the file system throws
 * when the file is opened.
 */
export function openLedger(
  name: string,
  folder = ledgerFolder,
  onTrouble: (why: string) => void = (why) => {
    throw new CannotRun(why);
  },
): LedgerFile {
  const path = join(folder, `${name}.jsonl`);
  const before = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
  // A kill may have cut off the last line. Nothing was sent for it, and the next line must not be appended to it.
  const wholeLines = before.subarray(0, before.lastIndexOf('\n') + 1);
  let descriptor: number | null = null;
  let length = wholeLines.length;
  let mayBeTorn = true;
  const append = (line: string): void => {
    if (descriptor === null) {
      mkdirSync(folder, { recursive: true });
      // Windows cannot truncate what is opened for appending (nodejs/node#3177).
      descriptor = openSync(path, existsSync(path) ? 'r+' : 'w+');
    }
    if (mayBeTorn) {
      ftruncateSync(descriptor, length);
    }
    // A full disk may take only a part of the line.
    mayBeTorn = true;
    const bytes = Buffer.from(`${line}\n`);
    for (let written = 0; written < bytes.length; ) {
      written += writeSync(descriptor, bytes, written, bytes.length - written, length + written);
    }
    fsyncSync(descriptor);
    mayBeTorn = false;
    length += bytes.length;
  };
  const sink = (line: string): void => {
    try {
      append(line);
    } catch (error) {
      onTrouble(cannotWrite(folder, error));
    }
  };
  const lines = wholeLines.toString('utf8').split('\n');
  const ledger = createLedger(
    sink,
    lines.filter((line) => line !== ''),
  );
  return {
    ledger,
    path,
    close() {
      if (descriptor !== null) {
        closeSync(descriptor);
      }
      descriptor = null;
      if (ledger.toDelete().length === 0 && ledger.unreadable === 0 && existsSync(path)) {
        rmSync(path, { force: true });
      }
    },
  };
}

/** Checks that ledgers can be written, before a run creates anything. Throws CannotRun where they cannot. */
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
    throw new CannotRun(cannotWrite(folder, error));
  }
}

const cannotWrite = (folder: string, error: unknown): string =>
  `Cannot write ${folder}, where a run records what it creates: ${fileTrouble(error)}; make it writable, or set WRITES=none`;

/** Names of the ledgers that earlier runs left. Throws CannotRun where the folder cannot be read. */
export function leftLedgers(folder = ledgerFolder): string[] {
  if (!existsSync(folder)) {
    return [];
  }
  try {
    return (
      readdirSync(folder, { withFileTypes: true })
        // A run writes files only: a folder or link was put there by somebody else.
        .filter((file) => file.isFile() && file.name.endsWith('.jsonl'))
        .map(({ name }) => name.slice(0, -'.jsonl'.length))
        .sort()
    );
  } catch (error) {
    throw new CannotRun(`Cannot read ${folder}, where runs record what they created: ${fileTrouble(error)}`);
  }
}
