import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { CannotRun } from '../common/cannot-run.ts';
import { createRedactor } from '../common/redact.ts';

/** How users call a script of package.json. */
const callOf = (script: string): string => (script === 'test' ? 'npm test' : `npm run ${script}`);

/**
 * The command line of an npm script: commander's, with --help, and with one line and status 2 for words that it does not
 * know. `description` is what --help says first.
 */
export const createCommand = (script: string, usage: string, description: string): Command =>
  new Command(callOf(script))
    .usage(usage === '' ? ' ' : `-- ${usage}`)
    .description(description)
    .helpOption('-h, --help', 'print this, and send nothing')
    .exitOverride()
    .configureOutput({ outputError: () => {}, writeErr: () => {} });

/**
 * Parses the words after `npm run SCRIPT --`. null where --help was asked for, which has been printed then. Throws CannotRun
 * for words that cannot be used.
 */
export function parseCommand(command: Command, argv: readonly string[]): Command | null {
  try {
    return command.parse(argv, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) {
      return null;
    }
    if (error instanceof CommanderError) {
      const why = error.message.replace(/^error: |\.$/g, '').replace(/\s+/g, ' ');
      throw new CannotRun(`Cannot use the command line: ${why}; see ${command.name()} -- --help`);
    }
    throw error;
  }
}

/** Reads the value of an option such as `--every <n>`. Throws where it is no whole number of at least 1. */
export function positiveInteger(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) {
    throw new InvalidArgumentError('It must be a whole number of at least 1.');
  }
  return Number(text);
}

/** The parsed words of a program that a script of package.json starts: ends the process after --help, and with 2 for words that cannot be used. */
export function commandLine(command: Command): Command {
  try {
    return parseCommand(command, process.argv.slice(2)) ?? process.exit(0);
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    return process.exit(2);
  }
}

/** What went wrong: one line where the user can put it right, with the stack where the suite is at fault. */
export function explain(error: unknown): string {
  if (error instanceof CannotRun) {
    return error.message;
  }
  return `The suite itself broke: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}

/**
 * Carries a command out, and sets the exit status of the process: what `run` gives once the command's words are parsed, 0 after
 * --help, 2 with the reason where anything throws.
 */
export async function carryOut(command: Command, run: () => number | Promise<number>): Promise<void> {
  try {
    process.exitCode = parseCommand(command, process.argv.slice(2)) === null ? 0 : await run();
  } catch (error) {
    process.stderr.write(`${createRedactor().clean(explain(error))}\n`);
    process.exitCode = 2;
  }
}
