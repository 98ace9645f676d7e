import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { systemClock } from '../common/clock.ts';
import { createRedactor } from '../common/redact.ts';
import { commandOf } from '../common/suite.ts';
import { scopes } from '../contract/scopes.ts';
import { listen } from '../fixtures/reference/listen.ts';
import { createPlainReference } from '../fixtures/reference/plain-deployment.ts';
import { settingsOfReference } from '../fixtures/reference-settings.ts';
import { runOf } from '../load/report/load-run.ts';
import { loadConsole, writeLoad } from '../load/report/write-load.ts';
import { conductLoad } from '../load/runner/conduct.ts';
import { freshDaySpeed } from '../load/runner/days.ts';
import type { KeyMaker } from '../load/runner/keys.ts';
import { keyNames, type ScriptName, scripts, type Variables } from '../load/seam/plan.ts';
import { prepareFolder } from '../reports/write-files.ts';
import { Inconclusive, Skipped } from '../results/outcome.ts';
import { readSettings, type Settings, secretsIn } from '../settings/settings.ts';
import { noneTargeted, targetsOf } from '../settings/target.ts';
import { developerApi } from '../suites/developer/api.ts';
import { makeKey } from '../suites/developer/keys/making.ts';
import { cleanUp } from '../suites/records/clean-up.ts';
import { leftBehind } from '../suites/run/left-behind.ts';
import { ledgerName, openLedger } from '../suites/session/ledger/ledger-file.ts';
import { openSession } from '../suites/session/open-session.ts';
import { socketTransport } from '../suites/session/transport/undici-transport.ts';
import { carryOut, createCommand, endWith } from './command.ts';
import { onSignals } from './signals.ts';

/** The options of scripts, some for certain scripts alone. A script gets them as variables: LOAD_BURSTS for --bursts. */
const options: readonly (readonly [flags: string, help: string, ...scripts: ScriptName[]])[] = [
  ['--key <names>', `comma-separated: ${keyNames.join(', ')} (default: all that are set)`],
  ['--alone', 'assert that nobody else used the keys today, so that an early daily limit fails'],
  ['--bursts <n>', 'how many bursts (default: 3)', 'burst'],
  ['--calls <n>', 'make at most n calls; the next run continues', 'per-day'],
  ['--for <duration>', 'how long: 90s, 10m, 2h (default: 5m)', 'soak'],
  ['--pace <share>', 'share of the limit that is used (default: 0.97, soak 0.9)', 'per-day', 'soak'],
];

const command = createCommand(
  'load',
  'NAME [options] [-- options for k6]',
  `Makes the calls of a script with k6, and judges them. Exit status and reports as with ${commandOf('test')}.`,
).helpCommand(false);
for (const [name, asks] of Object.entries(scripts)) {
  const commandUsage = (): string => commandOf('load', `${name} [options] [-- options for k6]`);
  const script = command.command(name).description(asks).configureHelp({ commandUsage });
  for (const [flags, help, ...served] of options) {
    if (served.length === 0 || served.some((one) => one === name)) {
      script.option(flags, help);
    }
  }
}

/** The script that is named, and its options as variables. */
function chosen(): { readonly script: ScriptName; readonly options: Variables } {
  const [script] = command.args;
  const given = command.commands.find((one) => one.name() === script)?.opts() ?? {};
  const variables = Object.entries(given).map(([option, value]) => [`LOAD_${option.toUpperCase()}`, String(value)]);
  return { script: script as ScriptName, options: Object.fromEntries(variables) };
}

/**
 * The settings to run with. If they name no target, serves the reference deployment on loopback, by the real clock, since
 * k6 is another process; slowly enough to fill a window over a socket on a busy machine.
 */
async function targeted(
  given: Settings,
  script: ScriptName,
): Promise<{ settings: Settings; embedded: boolean; close(): Promise<void> }> {
  if (targetsOf(given).length > 0) {
    return { settings: given, embedded: false, close: () => Promise.resolve() };
  }
  say(noneTargeted);
  const reference = createPlainReference({ clockSpeed: script === 'per-day' ? freshDaySpeed(300, Date.now()) : 10 });
  const { urls, close } = await listen(reference);
  return { settings: settingsOfReference(given, reference, urls), embedded: true, close };
}

const argv = process.argv.slice(2);
const edge = argv.includes('--') ? argv.indexOf('--') : argv.length;
/** What stands behind `--`. */
const k6Options = argv.slice(edge + 1);

const redactor = createRedactor();
const clean = (text: string): string => redactor.clean(text);
const say = (line: string): void => {
  process.stderr.write(`${clean(line)}\n`);
};

async function run(): Promise<number> {
  const given = { ...chosen(), k6Options };
  const { settings, embedded, close } = await targeted(readSettings(), given.script);
  secretsIn(settings).forEach(redactor.learn);
  const stop = new AbortController();
  onSignals(
    (signal) => {
      say(`${signal}: ending k6, then writing the partial report. Press Ctrl-C again to stop at once`);
      stop.abort(`the run was stopped by ${signal}, so the trace is not complete: run it again`);
    },
    () => process.exit(2),
  );
  try {
    prepareFolder(settings.REPORTS_DIR);
    const startedAt = new Date();
    const { signal } = stop;
    const { learn } = redactor;
    const openMaker = () => openKeyMaker(settings);
    const conducted = await conductLoad({ ...given, settings, env: process.env, say, signal, learn, openMaker });
    const interrupted = signal.aborted ? String(signal.reason) : null;
    const ended = runOf(conducted, settings, { startedAt, interrupted, embedded });
    writeLoad(ended, settings.REPORTS_DIR, clean);
    process.stdout.write(clean(loadConsole(ended, join(settings.REPORTS_DIR, `load-${given.script}.html`))));
    return ended.exitCode;
  } finally {
    await close();
  }
}

/** Opens a maker of keys. Sends nothing yet. */
function openKeyMaker(settings: Settings): KeyMaker {
  const origin = settings.BASE_URL ?? '';
  const tag = `load-${randomBytes(4).toString('hex')}`;
  const file = openLedger(ledgerName('developer', new Date()));
  const socket = socketTransport(settings.TIMEOUT_MS);
  const session = openSession(developerApi, {
    origin,
    settings,
    clock: systemClock,
    transport: socket.transport,
    ledger: file.ledger,
    seed: 1,
    tag,
  });
  return {
    async make(environment) {
      try {
        const own = await makeKey(session, '', scopes, environment);
        await systemClock.sleep(settings.KEY_SETTLE_MS);
        return { secret: own.key.secret };
      } catch (error) {
        if (error instanceof Inconclusive || error instanceof Skipped) {
          return { why: error.message };
        }
        throw error;
      }
    },
    async close() {
      const lines = leftBehind(file.ledger, await cleanUp(session));
      await socket.close();
      file.close();
      return lines;
    },
  };
}

await carryOut(command, run, argv.slice(0, edge), redactor);
endWith(Number(process.exitCode));
