import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'dotenv';
import { CannotRun } from '../common/cannot-run.ts';
import { readText } from '../common/files.ts';
import { settings as table } from '../contract/settings.ts';

/** Variables by name. */
export type Env = Readonly<Record<string, string | undefined>>;

/**
 * All variables in a file of NAME=VALUE lines, settings and others. Throws CannotRun if it cannot be read, if a setting is
 * named in another form, or if it says something and sets nothing: ignored, it would let the run judge something else
 * than the user meant.
 */
export function readEnvFile(file: string): Env {
  const text = readText(file);
  const given = parse(text);
  const lines = text.split(/[\r\n]+/).filter((line) => !/^\s*(#|$)/.test(line));
  const unread = table.find(({ name }) => given[name] === undefined && lines.some((line) => names(line, name)));
  if (unread !== undefined) {
    throw new CannotRun(`Cannot read ${unread.name} in ${file}: its line must be ${unread.name}=VALUE`);
  }
  if (lines.length > 0 && Object.keys(given).length === 0) {
    throw new CannotRun(`Cannot read ${file}: it sets nothing; make it a file of NAME=VALUE lines, or remove it`);
  }
  refuseLost(text.split(/\r\n|\r|\n/), file);
  return given;
}

/** A line that is no more than a value: Base64 ends with `=`, and so does a name that is set to nothing. */
const restOfValue = /^\s*(?![A-Z\d_]*=\s*$|[a-z_]*=\s*$)[^\s#=:]+={0,2}\s*$/;

/** Throws CannotRun where a setting's line says more than what is read of it: half a key fails as a wrong one. */
function refuseLost(lines: readonly string[], file: string): void {
  const seen = new Map<string, string>();
  for (const [index, line] of lines.entries()) {
    const [, name = '', value = ''] = /^\s*(?:export\s+)?([A-Z_]+)\s*(?:=|:\s)\s*(.*?)\s*$/.exec(line) ?? [];
    const isCut = !/^["'`]/.test(value) && restOfValue.test(lines[index + 1] ?? '');
    const why =
      (seen.get(name) ?? value) !== value
        ? 'two lines set it, and differ; keep one'
        : /^[^"'`\s#][^#]*(?<!\s)#/.test(value)
          ? 'a # begins a comment; put the value in quotes'
          : isCut && 'the next line sets nothing; write the value on one line';
    if (why && table.some((setting) => setting.name === name)) {
      throw new CannotRun(`Cannot read ${name} in ${file}: ${why}`);
    }
    seen.set(name, value);
  }
}

/**
 * Whether a line begins with a name, or sets it as in `set NAME=…`, `$env:NAME = …` or `{"NAME": …}`. The value of another
 * variable may say anything.
 */
const names = (line: string, name: string): boolean =>
  new RegExp(`^\\s*(export\\s+)?${name}\\b|^(?!\\s*[\\w.-]+\\s*[=:]).*(?<![\\w.-])${name}["']?\\s*[=:]`).test(line);

/**
 * Throws CannotRun if there is a `.env` in the folder from which npm was started, and npm changed to another one, as with
 * --prefix: the file is not read, and most likely names the deployment that is meant.
 */
export function refuseUnreadFile(startedIn: string | undefined, folder: string): void {
  if (startedIn !== undefined && resolve(startedIn) !== folder && existsSync(join(startedIn, '.env'))) {
    throw new CannotRun(
      `Cannot tell what to judge: ${join(startedIn, '.env')} was ignored, because npm runs in ${folder}; move it there, or set BASE_URL or WORKSPACE_API_URL`,
    );
  }
}

/**
 * The secret in the environment variable, or else in the line of `.env`, with that name. Throws CannotRun if there is
 * none.
 */
export function secretFrom(name: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    // The user may have given the secret itself, so it is not repeated.
    throw new CannotRun('Cannot read the secret: --secret-from takes the name of an environment variable, not a value');
  }
  const value = process.env[name] ?? (existsSync('.env') ? readEnvFile('.env')[name] : undefined);
  if (value === undefined || value === '') {
    throw new CannotRun(`Cannot read the secret: ${name} is not set, neither in the environment nor in .env`);
  }
  return value;
}
