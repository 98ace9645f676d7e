import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';

/**
 * Makes a folder, and those that it lies in, unless it is there. Throws what the file system throws. Node tries for
 * ever to make a relative path once the working folder is gone, as it is for a run whose caller was killed.
 */
export const makeFolder = (folder: string): void => {
  mkdirSync(resolve(folder), { recursive: true });
};
