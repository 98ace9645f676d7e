import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'selftest-'));

/** Makes a new folder the system's folder for temporary files, for all tests. */
export function setup(): void {
  process.env.TMPDIR = folder;
}

/** Deletes it, with everything that tests left in it. */
export function teardown(): void {
  rmSync(folder, { recursive: true, force: true });
}
