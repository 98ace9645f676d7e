import { CannotRun } from '../../common/cannot-run.ts';
import { createRedactor } from '../../common/redact.ts';
import { suiteOf } from '../../common/suite.ts';
import { loadConsole } from '../../load/report/load-console.ts';
import type { LoadRun } from '../../load/report/load-run.ts';
import { runOf } from '../../load/report/outcome.ts';
import { writeLoad } from '../../load/report/write-load.ts';
import { packArchive } from '../../load/runner/archive.ts';
import { type Arguments, scripts } from '../../load/runner/arguments.ts';
import { conductLoad } from '../../load/runner/conduct.ts';
import { readTraces } from '../../load/runner/elsewhere.ts';
import type { KeyMaker } from '../../load/runner/keys.ts';
import { prepareFolder } from '../../reports/write-files.ts';
import { readSettings, type Settings, secretsIn } from '../../settings/settings.ts';
import { targetsOf } from '../../settings/target.ts';
import { explain } from '../command.ts';
import { onSignals } from '../signals.ts';
import { parseArguments } from './arguments.ts';
import { openReference } from './embedded.ts';
import { openKeyMaker } from './keys.ts';

const redactor = createRedactor();
const say = (line: string): void => {
  process.stderr.write(`${redactor.clean(line)}\n`);
};

/**
 * The settings to run with. If they name no target, starts the reference deployment on loopback, with everything
 * allowed.
 */
async function targeted(
  given: Settings,
  { script, traces, archive }: Arguments,
): Promise<{ settings: Settings; close: () => Promise<void> }> {
  if (targetsOf(given).length > 0 || traces.length > 0 || archive !== null) {
    return { settings: given, close: () => Promise.resolve() };
  }
  say('Neither BASE_URL nor WORKSPACE_API_URL is set: starting the reference deployment on loopback');
  return openReference(given, script);
}

async function conduct(options: Arguments, settings: Settings, signal: AbortSignal): Promise<LoadRun> {
  const startedAt = new Date();
  const about = {
    options,
    settings,
    startedAt,
    suite: suiteOf(),
    interrupted: () => (signal.aborted ? String(signal.reason) : null),
  };
  if (options.traces.length > 0) {
    return runOf(about, readTraces(options, settings));
  }
  const { env } = process;
  const learn = (secret: string): void => redactor.learn(secret);
  const openMaker = (): KeyMaker => openKeyMaker(settings);
  return runOf(about, await conductLoad({ settings, options, env, say, signal, learn, openMaker }));
}

/**
 * Writes the report files, then the console report, which is written even if the files cannot be. Returns the exit
 * status.
 */
function report(run: LoadRun, folder: string): number {
  const clean = (text: string): string => redactor.clean(text);
  const print = (shown: LoadRun, where: string): number => {
    process.stdout.write(clean(loadConsole(shown, scripts[run.script], where)));
    return shown.exitCode;
  };
  try {
    writeLoad(run, folder, clean);
  } catch (error) {
    if (!(error instanceof CannotRun)) {
      throw error;
    }
    say(error.message);
    const unknown = { ...run, conformant: null, exitCode: 2, reason: error.message } as const;
    return print(run.conformant === false ? run : unknown, 'no report was written');
  }
  return print(run, `reports in ${folder}`);
}

async function run(argv: readonly string[]): Promise<number> {
  const options = parseArguments(argv);
  if (options === null) {
    return 0;
  }
  const { settings, close } = await targeted(readSettings(), options);
  secretsIn(settings).forEach(redactor.learn);
  const stop = new AbortController();
  onSignals(
    (signal) => {
      say(`${signal}: ending k6, then writing the partial report. Press Ctrl-C again to stop at once`);
      stop.abort(`The run was stopped by ${signal}, so the trace is not complete.`);
    },
    () => process.exit(2),
  );
  try {
    if (options.archive !== null) {
      return await packArchive(options, settings, say);
    }
    prepareFolder(settings.REPORTS_DIR);
    return report(await conduct(options, settings, stop.signal), settings.REPORTS_DIR);
  } finally {
    await close();
  }
}

/**
 * `npm run load -- NAME [options]`: makes a script's calls with k6 and judges their trace. Prints, and returns the exit
 * status.
 */
export const main = (argv: readonly string[]): Promise<number> =>
  run(argv).catch((error: unknown) => {
    say(explain(error));
    return 2;
  });
