import { CannotRun } from '../common/cannot-run.ts';
import { systemClock } from '../common/clock.ts';
import { commandOf } from '../common/suite.ts';
import { readSettings } from '../settings/settings.ts';
import { developerApi } from '../suites/developer/api.ts';
import type { Cleaned } from '../suites/records/clean-up.ts';
import { cleanUpLedgers } from '../suites/records/sweep.ts';
import { namesOfUndeletable } from '../suites/run/left-behind.ts';
import {
  isAlive,
  ledgerFolder,
  leftLedgers,
  type OpenLedger,
  openLedger,
} from '../suites/session/ledger/ledger-file.ts';
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
  const { forget } = command.opts();
  const names = leftLedgers();
  for (const name of names.filter(isAlive)) {
    say(`Skipped ${ledgerFolder}/${name}.jsonl: its run is still in progress`);
  }
  const ledgers = names.filter((name) => !isAlive(name)).map((name) => openLedger(name));
  return forget === undefined ? cleanAll(ledgers) : forgetOrigin(ledgers, forget.replace(/\/+$/, ''));
}

function forgetOrigin(ledgers: readonly OpenLedger[], origin: string): number {
  const all = ledgers.flatMap(({ ledger }) =>
    [...ledger.toDelete(), ...ledger.undeletable()].map((entry) => ({ ledger, entry })),
  );
  const dropped = all.filter(({ entry }) => entry.origin === origin);
  if (dropped.length === 0) {
    const others = [...new Set(all.map(({ entry }) => entry.origin))].join(', ') || 'no origin';
    throw new CannotRun(`Cannot forget ${origin}: no records are left there; records are left at ${others}`);
  }
  for (const { ledger, entry } of dropped) {
    ledger.note(entry, { gone: true });
  }
  for (const { close } of ledgers) {
    close();
  }
  say(`${origin}: ${dropped.length} forgotten`);
  return 0;
}

async function cleanAll(ledgers: readonly OpenLedger[]): Promise<number> {
  if (ledgers.length === 0) {
    say(nothingToDo);
    return 0;
  }
  const settings = readSettings();
  const { transport, close } = socketTransport(settings.TIMEOUT_MS);
  const apis = { developer: developerApi, workspace: workspaceApi };
  const all = await cleanUpLedgers(ledgers, { apis, settings, clock: systemClock, transport });
  await close();
  const damaged = ledgers.filter(({ ledger }) => ledger.unreadable > 0);
  const lines = [
    ...[...Map.groupBy(all, ({ entry }) => entry.origin)].map(([origin, own]) => lineOf(origin, own)),
    ...damaged.map(
      ({ path }) =>
        `${path}: some lines cannot be read, so records may be left: search the deployment for the run's tag, then delete the file`,
    ),
  ];
  (lines.length === 0 ? [nothingToDo] : lines).forEach(say);
  return damaged.length > 0 || all.some(({ end }) => end === 'left') ? 1 : 0;
}

/** The line about one deployment. */
function lineOf(origin: string, all: readonly Cleaned[]): string {
  const ofEnd = (wanted: string): readonly Cleaned[] => all.filter(({ end }) => end === wanted);
  const shown = Object.entries({ deleted: 'deleted', gone: 'already gone', left: 'left' })
    .filter(([end]) => ofEnd(end).length > 0)
    .map(([end, what]) => `${ofEnd(end).length} ${what}`);
  const reasons = [...new Set(ofEnd('left').map(({ why }) => why))].slice(0, 3).join('; ');
  const why = reasons && `: ${reasons}; if that deployment is gone: ${commandOf('cleanup', `--forget ${origin}`)}`;
  const named = namesOfUndeletable(ofEnd('lasting').map(({ entry }) => entry)).map((names) => `; ${names}`);
  return `${origin}: ${shown.join(', ') || 'nothing to delete'}${why}${named.join('')}`;
}

await carryOut(command, run);
