import { parse } from 'dotenv';
import { CannotRun } from '../common/cannot-run.ts';
import { fileTrouble } from '../common/file-trouble.ts';
import { readBounded } from '../common/read-bounded.ts';
import { settings as table } from '../contract/settings.ts';

/** Variables by name. */
export type Env = Readonly<Record<string, string | undefined>>;

/** All variables in a file of NAME=VALUE lines, settings and others. Throws CannotRun if it cannot be read. */
export function readEnvFile(file: string): Env {
  const text = textOf(file);
  const given = parse(text);
  const [, unread] =
    [...text.matchAll(/^[ \t]*(?:export[ \t]+)?([A-Z_]+)\b/gm)].find(([, name = '']) => isUnread(name, given)) ?? [];
  if (unread !== undefined) {
    throw new CannotRun(`Cannot read ${unread} in ${file}: its line must be ${unread}=VALUE`);
  }
  return given;
}

const mostBytes = 1_000_000;

function textOf(file: string): string {
  try {
    const text = readBounded(file, mostBytes).toString('utf8');
    // Shells on Windows write UTF-16. No setting would be found in it, and the run would do what one of them forbids.
    if (text.includes('\0')) {
      throw new Error('it is not text in UTF-8');
    }
    return text;
  } catch (error) {
    throw new CannotRun(`Cannot read ${file}: ${fileTrouble(error)}; make it a file of NAME=VALUE lines, or remove it`);
  }
}

/**
 * Whether a line begins with a setting's name but sets nothing. Ignoring it would judge something else than the user
 * meant.
 */
const isUnread = (name: string, given: Env): boolean =>
  given[name] === undefined && table.some((setting) => setting.name === name);
