import { type Command, InvalidArgumentError } from 'commander';
import { explain, parseCommand } from '../cli/command.ts';

/** Parses the value of an option such as `--every <n>`. Throws if it is not a whole number of at least 1. */
export function positiveInteger(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) {
    throw new InvalidArgumentError('It must be a whole number of at least 1.');
  }
  return Number(text);
}

/** Parses the arguments of this process. Ends the process after --help, and with 2 for wrong arguments. */
export function commandLine(command: Command): Command {
  try {
    return parseCommand(command, process.argv.slice(2)) ?? process.exit(0);
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    return process.exit(2);
  }
}
