import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new empty folder. Tests need not delete it, since scratch.ts deletes all of them. */
export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'test-'));

/** A new file with this name, in a folder of its own. */
export function newFile(name: string, content: string | Buffer): string {
  const file = join(newFolder(), name);
  writeFileSync(file, content);
  return file;
}
