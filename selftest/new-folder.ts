import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An empty folder of a test's own. It need not delete it: scratch.ts does that with all that tests leave. */
export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'test-'));
