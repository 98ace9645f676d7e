import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'selftest-'));

/** Gives all tests one folder of their own as the system's for temporary files. */
export function setup(): void {
  process.env.TMPDIR = folder;
}

/** Deletes it with all that tests left in it. */
export function teardown(): void {
  rmSync(folder, { recursive: true, force: true });
}
