import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { explain, numberFrom, parseCommand } from '../cli/command.ts';

/** Parses the value of an option such as `--every <n>`. */
export const positiveInteger = numberFrom(1, 1_000_000_000, true);

/** Parses the arguments of this process. Ends the process after --help, and with 2 for wrong arguments. */
export function commandLine<C extends CommandUnknownOpts>(command: C): C {
  try {
    return parseCommand(command, process.argv.slice(2)) ?? process.exit(0);
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    return process.exit(2);
  }
}
