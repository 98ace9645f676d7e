import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new empty folder. Tests need not delete it, since scratch.ts deletes all of them. */
export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'test-'));
