import { existsSync } from 'node:fs';
import { CannotRun } from '../common/cannot-run.ts';
import { readEnvFile } from './env-file.ts';

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
