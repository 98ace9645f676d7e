import { type CliOptions, createCLI } from 'vitest/node';
import { CannotRun } from '../../common/cannot-run.ts';

/** The command line of `npm test --`: two words of our own, everything else is Vitest's. */
export interface Arguments {
  readonly help: boolean;
  readonly list: boolean;
  /** Vitest's -t: chooses the clauses whose id begins so. */
  readonly pattern: string | null;
  /** Vitest's file filters: choose an API. */
  readonly filters: readonly string[];
  /** Whether Vitest's reporters print to stdout, so that our own report keeps off it. */
  readonly ownReporters: boolean;
  readonly options: CliOptions;
}

/** `--` comes from those who write one too many after npm test. */
const ownWords = ['--help', '-h', '--list', '--'];

/** Throws CannotRun for an option that Vitest does not know. */
export function parseArguments(argv: readonly string[]): Arguments {
  const rest = argv.filter((word) => !ownWords.includes(word));
  const { filter, options } = vitestOptions(rest);
  const { testNamePattern, reporter, ...others } = options as CliOptions & { reporter?: unknown };
  return {
    help: argv.includes('--help') || argv.includes('-h'),
    list: argv.includes('--list'),
    pattern: testNamePattern === undefined ? null : patternText(testNamePattern),
    filters: filter,
    ownReporters: others.reporters !== undefined || reporter !== undefined,
    options: { ...others, ...(reporter === undefined ? {} : { reporters: [reporter].flat() as string[] }) },
  };
}

const patternText = (pattern: unknown): string => {
  if (Array.isArray(pattern)) {
    throw new CannotRun('Cannot use -t more than once: write -t "developer.auth|developer.keys"');
  }
  return pattern instanceof RegExp ? pattern.source : String(pattern);
};

function vitestOptions(argv: readonly string[]): { filter: string[]; options: CliOptions } {
  try {
    const cli = createCLI();
    const { args, options } = cli.parse(['node', 'vitest', 'run', ...argv], { run: false });
    // Vitest itself only asks this when it is about to run the command.
    cli.matchedCommand?.checkUnknownOptions();
    return { filter: [...args], options: options as CliOptions };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CannotRun(`Cannot use the command line: ${why.replace(/\s+/g, ' ')}; see npm test -- --help`);
  }
}
