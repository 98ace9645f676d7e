import { CannotRun } from '../common/cannot-run.ts';
import { systemClock } from '../common/clock.ts';
import { commandOf } from '../common/suite.ts';
import { readSettings } from '../settings/settings.ts';
import { developerApi } from '../suites/developer/api.ts';
import { cleanUpLedgers } from '../suites/records/sweep.ts';
import { namesOfUndeletable } from '../suites/run/left-behind.ts';
import type { Entry, Ledger } from '../suites/session/ledger/ledger.ts';
import { isAlive, ledgerFolder, leftLedgers, openLedger } from '../suites/session/ledger/ledger-file.ts';
import { socketTransport } from '../suites/session/transport/undici-transport.ts';
import { workspaceApi } from '../suites/workspace/api.ts';
import { carryOut, createCommand } from './command.ts';

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const command = createCommand(
  'cleanup',
  '[options]',
  'Deletes what earlier runs created and could not delete, on the deployments that the settings name. Ends with 0 if nothing is left, 1 if something is, 2 if it could not run.',
).option('--forget <origin>', 'send nothing, and forget what was created at a deployment that is gone');

/** Other programs read these words. */
const nothingToDo = 'Nothing to do: there is nothing to clean up';

async function run(): Promise<number> {
  const { forget } = command.opts<{ forget?: string }>();
  const ledgers = leftLedgers();
  for (const name of ledgers.filter(isAlive)) {
    say(`Skipped ${ledgerFolder}/${name}.jsonl: its run is still in progress`);
  }
  const ended = ledgers.filter((name) => !isAlive(name));
  return forget === undefined ? cleanAll(ended) : forgetOrigin(ended, forget.replace(/\/+$/, ''));
}

/** Removes some entries from each ledger, and returns them. */
function drop(ledgers: readonly string[], choose: (ledger: Ledger) => readonly Entry[]): Entry[] {
  return ledgers.flatMap((name) => {
    const { ledger, close } = openLedger(name);
    const dropped = choose(ledger);
    for (const entry of dropped) {
      ledger.remove(entry);
    }
    close();
    return dropped;
  });
}

function forgetOrigin(ledgers: readonly string[], origin: string): number {
  const known = new Set<string>();
  const dropped = drop(ledgers, (ledger) =>
    [...ledger.toDelete(), ...ledger.undeletable()].filter((entry) => {
      known.add(entry.origin);
      return entry.origin === origin;
    }),
  );
  if (dropped.length === 0) {
    const others = [...known].join(', ') || 'no origin';
    throw new CannotRun(`Cannot forget ${origin}: no records are left there; records are left at ${others}`);
  }
  say(`${origin}: ${dropped.length} forgotten`);
  return 0;
}

async function cleanAll(ledgers: readonly string[]): Promise<number> {
  if (ledgers.length === 0) {
    say(nothingToDo);
    return 0;
  }
  const settings = readSettings();
  const { transport, close } = socketTransport({ connections: 4, timeoutMs: settings.TIMEOUT_MS });
  const apis = { developer: developerApi, workspace: workspaceApi };
  // Records that the API cannot delete are named once, and then dropped from the ledger.
  const lasting = drop(ledgers, (ledger) => ledger.undeletable()).map((entry) => ({ entry, end: 'lasting', why: '' }));
  const cleaned = await cleanUpLedgers(ledgers, ledgerFolder, { apis, settings, clock: systemClock, transport });
  await close();
  const all: readonly Ended[] = [...cleaned, ...lasting];
  const damaged = ledgers.filter((name) => {
    const { ledger, close } = openLedger(name);
    close();
    return ledger.unreadable > 0;
  });
  const lines = [
    ...[...Map.groupBy(all, ({ entry }) => entry.origin)].map(([origin, own]) => lineOf(origin, own)),
    ...damaged.map(
      (name) =>
        `${ledgerFolder}/${name}.jsonl: some lines cannot be read, so records may be left: search the deployment for the run's tag, then delete the file`,
    ),
  ];
  (lines.length === 0 ? [nothingToDo] : lines).forEach(say);
  return damaged.length > 0 || all.some(({ end }) => end === 'left') ? 1 : 0;
}

/** What became of something that a run created. */
interface Ended {
  readonly entry: Entry;
  readonly end: string;
  readonly why: string;
}

/** The line about one deployment. */
function lineOf(origin: string, all: readonly Ended[]): string {
  const ofEnd = (wanted: string): readonly Ended[] => all.filter(({ end }) => end === wanted);
  const shown = Object.entries({ deleted: 'deleted', gone: 'already gone', left: 'left' })
    .filter(([end]) => ofEnd(end).length > 0)
    .map(([end, what]) => `${ofEnd(end).length} ${what}`);
  const reasons = [...new Set(ofEnd('left').map(({ why }) => why))].slice(0, 3).join('; ');
  const why = reasons && `: ${reasons}; if that deployment is gone: ${commandOf('cleanup', `--forget ${origin}`)}`;
  const named = namesOfUndeletable(ofEnd('lasting').map(({ entry }) => entry)).map((names) => `; ${names}`);
  return `${origin}: ${shown.join(', ') || 'nothing to delete'}${why}${named.join('')}`;
}

await carryOut(command, run);
