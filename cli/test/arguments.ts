import type { CliOptions } from 'vitest/node';
import { CannotRun, messageOf } from '../../common/cannot-run.ts';
import { commandOf } from '../../common/suite.ts';
import { settings } from '../../contract/settings.ts';
import { another, createCommand, parseCommand } from '../command.ts';

/** The arguments of `npm test --`: a few of our own, and all of Vitest's. */
export interface Arguments {
  /** Vitest's -t, as often as it is given. */
  readonly patterns: readonly string[];
  /** Vitest's file filters, which choose an API. */
  readonly filters: readonly string[];
  /** Whether the user chose reporters of Vitest, which print to stdout; our own report then goes to stderr. */
  readonly ownReporters: boolean;
  /** Options for Vitest. */
  readonly options: CliOptions;
}

/**
 * Parses the command line. Returns null after --help, which it prints. Throws CannotRun for an option that Vitest does
 * not know either.
 */
export async function parseArguments(argv: readonly string[]): Promise<Arguments | null> {
  const command = createCommand(
    'test',
    '[developer | workspace] [options]',
    'Judges a deployment, clause by clause. If no setting names one, it judges the reference deployment that comes with the suite.',
  )
    .argument('[api...]', 'judge only this API')
    .option(
      '-t, --testNamePattern <clause>',
      'judge only clauses whose id starts with this, such as -t developer.auth; may be given again',
      another,
    )
    .allowUnknownOption()
    .addHelpText('after', helpAfter);
  if (parseCommand(command, argv) === null) {
    return null;
  }
  const { testNamePattern: patterns = [] } = command.opts();
  const { filter: filters, options } = await vitestOptions(command.args);
  const { reporter, ...others } = options as CliOptions & { reporter?: unknown };
  if (!['threads', 'forks'].includes(String(others.pool ?? 'threads'))) {
    throw new CannotRun(`Cannot run with --pool ${String(others.pool)}: set it to threads or forks`);
  }
  const { reporters = reporter === undefined ? undefined : ([reporter].flat() as string[]) } = others;
  return {
    patterns,
    filters,
    ownReporters: reporters !== undefined,
    options: { ...others, ...(reporters && { reporters }) },
  };
}

async function vitestOptions(argv: readonly string[]): Promise<{ filter: string[]; options: CliOptions }> {
  const { createCLI } = await import('vitest/node');
  try {
    const cli = createCLI();
    const { args, options } = cli.parse(['node', 'vitest', 'run', ...argv], { run: false });
    // Vitest itself checks this only when it is about to run the command.
    cli.matchedCommand?.checkUnknownOptions();
    return { filter: [...args], options: options as CliOptions };
  } catch (error) {
    const why = messageOf(error);
    throw new CannotRun(`Cannot use the command line: ${why.replace(/\s+/g, ' ')}; see ${commandOf('test', '--help')}`);
  }
}

function helpAfter(): string {
  const width = Math.max(...settings.map(({ name }) => name.length));
  const rows = settings.map(
    ({ name, meaning, values, default: value }) =>
      `  ${name.padEnd(width)}  ${meaning}${values ? ` (${values.join(', ')})` : ''}${value === undefined ? '' : ` [${value}]`}`,
  );
  return [
    '  (any Vitest option)',
    '',
    'Other commands: plan, load, repeat, compare, har, signature, receiver, reference, cleanup. Each has --help.',
    '',
    'Settings (environment, or .env) [default]:',
    ...rows,
    '',
    'Exit status: 0 conformant; 1 a must failed (with STRICT=1, a should); 2 unknown: bad settings, target out of reach,',
    'nothing judged, a check of the suite broke, a report could not be written (with STRICT=1, a must stayed inconclusive).',
  ].join('\n');
}
