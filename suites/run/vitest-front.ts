import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CliOptions, Reporter, Vitest } from 'vitest/node';
import { startVitest } from 'vitest/node';
import { CannotRun } from '../../common/cannot-run.ts';
import { systemClock } from '../../common/clock.ts';
import { messageOf } from '../../common/message-of.ts';
import type { ApiName } from '../../contract/clause.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Publisher } from './channel.ts';
import { type Selection, testFile } from './selection.ts';

const root = resolve(import.meta.dirname, '../..');

/** What a run sets itself, whatever the user chose. */
const fixed = {
  root,
  dir: root,
  exclude: [],
  changed: false,
  project: [],
  shard: '1/1',
  bail: 0,
  config: false,
  watch: false,
  run: true,
  allowOnly: false,
  passWithNoTests: false,
  pool: 'threads',
  isolate: false,
  maxWorkers: 1,
  maxConcurrency: 1_000,
  testTimeout: 0,
  hookTimeout: 0,
  retry: 0,
  // The suite is not what is tested.
  coverage: { enabled: false },
} as const satisfies CliOptions;

/** The names of chosen options that have no effect, since a run sets them otherwise. */
export const optionsWithoutEffect = (chosen: CliOptions): readonly string[] =>
  Object.entries(fixed).flatMap(([name, value]) =>
    name in chosen && chosen[name as keyof typeof fixed] !== value ? [name] : [],
  );

interface Front {
  readonly options: CliOptions;
  readonly selection: Selection;
  readonly settings: Settings;
  readonly publisher: Publisher;
  /** Called when Vitest is ready. Only then the engine is started, so that Vitest's start disturbs no measurement. */
  readonly onReady: () => void;
}

/**
 * Runs Vitest over the two files of clauses, with the user's options; resolves when its run has ended. It prints
 * nothing unless the user names a reporter. Throws CannotRun where Vitest cannot start or finds no test, and an Error
 * where it breaks while it runs.
 */
export async function runVitest(front: Front): Promise<void> {
  let ready = false;
  const troubles: string[] = [];
  const gate: Reporter = {
    onTestRunStart() {
      ready = true;
      front.onReady();
    },
    onTestRunEnd(_modules, errors) {
      troubles.push(...errors.map(({ message }) => message));
    },
    onTestModuleEnd(module) {
      troubles.push(...module.errors().map(({ message }) => message));
    },
  };
  const startedAt = systemClock.now();
  const apis = (['developer', 'workspace'] as const).filter((api) => front.selection.idsOf(api).length > 0);
  try {
    const vitest = await startVitest(
      'test',
      apis.map((api) => resolve(root, testFile(api))),
      optionsOf(front, apis, gate),
    );
    troubles.push(...unwrittenReports(vitest, startedAt));
  } catch (error) {
    throw new CannotRun(`Cannot start Vitest: ${messageOf(error).replace(/\s+/g, ' ')}`);
  }
  if (!ready) {
    throw new CannotRun('Cannot start Vitest: it found nothing to run with these options; see npm test -- --help');
  }
  if (troubles.length > 0) {
    throw new Error(`Vitest broke: ${troubles.join('; ').replace(/\s+/g, ' ').slice(0, 1_000)}`);
  }
}

/**
 * What a reporter of Vitest's could not write: Vitest prints the error and goes on. Another trouble shows in its exit
 * status alone, which is 1 without a failed test.
 */
function unwrittenReports({ config, state }: Vitest, startedAt: number): string[] {
  const files = typeof config.outputFile === 'string' ? [config.outputFile] : Object.values(config.outputFile ?? {});
  const hasFileReporter = config.reporters.flat().some((name) => typeof name === 'string' && toFile.test(name));
  const unwritten = hasFileReporter ? files.filter((file) => !isWritten(file, startedAt)) : [];
  const isBroken = process.exitCode === 1 && state.getCountOfFailedTests() === 0;
  return unwritten.length > 0
    ? unwritten.map((file) => `${file} of --outputFile was not written`)
    : isBroken
      ? ['a Vitest reporter could not finish; see above']
      : [];
}

/** The reporters that write files. */
const toFile = /^(json|junit|html|blob)$/;

function isWritten(file: string, startedAt: number): boolean {
  const stats = statSync(file, { throwIfNoEntry: false });
  // The clocks of file systems may be coarse.
  return stats !== undefined && (!stats.isFile() || stats.mtimeMs >= startedAt - 2_000);
}

function optionsOf(
  { options, selection, settings, publisher }: Front,
  apis: readonly ApiName[],
  gate: Reporter,
): CliOptions {
  const given = options.reporters === undefined ? [] : ([options.reporters].flat() as string[]);
  return {
    ...options,
    ...fixed,
    include: apis.map(testFile),
    env: { STRICT: settings.STRICT },
    provide: { verdictChannel: publisher.name },
    // Exactly the chosen clauses: the user's -t could match the titles of others.
    testNamePattern: patternOf(apis.flatMap((api) => selection.idsOf(api))),
    reporters: [...given, gate],
    silent: given.length === 0,
  };
}

const patternOf = (ids: readonly string[]): string =>
  `^(${ids.map((id) => id.replaceAll('.', String.raw`\.`)).join('|')}) `;
