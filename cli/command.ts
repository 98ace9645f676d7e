import { Command, CommanderError, type CommandUnknownOpts, InvalidArgumentError } from '@commander-js/extra-typings';
import { CannotRun, stackOf } from '../common/cannot-run.ts';
import { createRedactor } from '../common/redact.ts';
import { commandOf, dashes, suiteOf } from '../common/suite.ts';
import { visible } from '../reports/text.ts';

/**
 * The command line of an npm script, with --help, which begins with `description`. Throws for arguments that it does
 * not know.
 */
export const createCommand = (script: string, usage: string, description: string): Command =>
  new Command(commandOf(script))
    .usage(usage === '' ? ' ' : `${dashes}${usage}`)
    .description(description)
    .helpOption('-h, --help', 'show this help')
    .version(suiteOf().version, '--version', 'show the version')
    .exitOverride()
    .configureOutput({ outputError: () => {}, writeErr: () => {} });

/**
 * Parses the arguments after `npm run SCRIPT --`. Returns null after --help and --version. Throws CannotRun for
 * wrong arguments.
 */
export function parseCommand<C extends CommandUnknownOpts>(command: C, argv: readonly string[]): C | null {
  try {
    command.parse(argv, { from: 'user' });
    return command;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) {
      return null;
    }
    if (error instanceof CommanderError) {
      const isUnnamed = error.code === 'commander.help';
      const why = isUnnamed ? 'it names no command' : error.message.replace(/^error: |\.$/g, '').replace(/\s+/g, ' ');
      throw new CannotRun(`Cannot use the command line: ${why}; see ${command.name()} ${dashes}--help`);
    }
    throw error;
  }
}

/** What went wrong: one line if the user can correct it, or the stack if the suite is at fault. */
export const explain = (error: unknown): string =>
  error instanceof CannotRun ? error.message : `The suite itself broke: ${stackOf(error)}`;

/**
 * Ends the process with 2 where NODE_DEBUG is set: Node and undici would print requests with their keys. DEBUG, which
 * only concerns libraries that are loaded later, is dropped.
 */
export function refuseDebug(): void {
  delete process.env.DEBUG;
  if ((process.env.NODE_DEBUG ?? '') !== '') {
    process.stderr.write('Cannot run with NODE_DEBUG set, which would print keys: unset it\n');
    process.exit(2);
  }
}

/**
 * Parses the arguments, runs the command, and sets the exit status: what `run` returns, 0 after --help, 2 if anything
 * throws.
 */
export async function carryOut(
  command: CommandUnknownOpts,
  run: () => number | Promise<number>,
  argv: readonly string[] = process.argv.slice(2),
  redactor = createRedactor(),
): Promise<void> {
  refuseDebug();
  // Who reads the output may go away, as head does.
  process.stdout.on('error', () => process.exit(2));
  try {
    process.exitCode = parseCommand(command, argv) === null ? 0 : await run();
  } catch (error) {
    process.stderr.write(`${visible(redactor.clean(explain(error)))}\n`);
    process.exitCode = 2;
  }
}

/** Writes a line to the user, beside the output. */
export const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/**
 * Ends the process with this exit status once nothing keeps it, and after two seconds in any case. `process.exit` at once
 * may wait for ever for a thread of V8 that itself waits for a garbage collection (nodejs/node#54918).
 */
export function endWith(exitCode: number): void {
  process.exitCode = exitCode;
  setTimeout(() => process.exit(), 2_000).unref();
}

/** The values of an option that may be given several times. */
export const another = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

/** Parses the value of an option that is a number. */
export const numberFrom =
  (least: number, most: number, isWhole = false) =>
  (text: string): number => {
    const value = Number(text);
    if (text.trim() === '' || !(value >= least && value <= most) || (isWhole && !Number.isInteger(value))) {
      throw new InvalidArgumentError(`It must be a ${isWhole ? 'whole ' : ''}number from ${least} to ${most}.`);
    }
    return value;
  };

/** Parses the value of an option that is a URL. */
export function httpUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new InvalidArgumentError('It must be an absolute http or https URL.');
  }
  return text;
}
