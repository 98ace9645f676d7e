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

/** A ledger in a file, with the entries that it holds. Flushes every line. Throws what the file system throws. */
export function openLedger(name: string, folder = ledgerFolder): LedgerFile {
  const path = join(folder, `${name}.jsonl`);
  const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
  // A kill may have cut off the last line. Nothing was sent for it, and the next line must not be appended to it.
  const wholeLines = bytes.subarray(0, bytes.lastIndexOf('\n') + 1);
  let descriptor: number | null = null;
  const sink = (line: string): void => {
    if (descriptor === null) {
      mkdirSync(folder, { recursive: true });
      descriptor = openSync(path, 'a');
      ftruncateSync(descriptor, wholeLines.length);
    }
    writeSync(descriptor, `${line}\n`);
    fsyncSync(descriptor);
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
    const why = `${fileTrouble(error)}; make it a folder that can be written, or set WRITES=none`;
    throw new CannotRun(`Cannot write ${folder}, where a run says what it creates: ${why}`);
  }
}

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
    throw new CannotRun(`Cannot read ${folder}, where runs say what they created: ${fileTrouble(error)}`);
  }
}
