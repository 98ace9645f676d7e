import { parse } from 'dotenv';
import { CannotRun } from '../common/cannot-run.ts';
import { fileTrouble } from '../common/file-trouble.ts';
import { readBounded } from '../common/read-bounded.ts';
import { settings as table } from '../contract/settings.ts';

/** Variables by name. */
export type Env = Readonly<Record<string, string | undefined>>;

/** What a file of NAME=VALUE lines gives, ours and others'. Throws CannotRun. */
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

const mostOfEnvFile = 1_000_000;

function textOf(file: string): string {
  try {
    const text = readBounded(file, mostOfEnvFile).toString('utf8');
    // UTF-16, which shells on Windows write, would hold no setting, and the run do what one of them forbids.
    if (text.includes('\0')) {
      throw new Error('it is no text in UTF-8');
    }
    return text;
  } catch (error) {
    throw new CannotRun(`Cannot read ${file}: ${fileTrouble(error)}; make it a file of NAME=VALUE lines, or remove it`);
  }
}

/** A line that begins with a setting's name and gives no value would be passed over, and the run judge something else. */
const isUnread = (name: string, given: Env): boolean =>
  given[name] === undefined && table.some((setting) => setting.name === name);
