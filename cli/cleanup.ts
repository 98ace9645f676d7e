import { CannotRun } from '../common/cannot-run.ts';
import { systemClock } from '../common/clock.ts';
import { nearestHint } from '../common/nearest.ts';
import { readSettings } from '../settings/settings.ts';
import { developerApi } from '../suites/developer/api.ts';
import { cleanUpLedgers } from '../suites/records/left-ledgers.ts';
import { namesOfUndeletable } from '../suites/run/left-behind.ts';
import type { Entry, Ledger } from '../suites/session/ledger/ledger.ts';
import { ledgerFolder, leftLedgers, openLedger } from '../suites/session/ledger/ledger-file.ts';
import { isAlive } from '../suites/session/ledger/ledger-name.ts';
import { socketTransport } from '../suites/session/transport/undici-transport.ts';
import { workspaceApi } from '../suites/workspace/api.ts';
import { carryOut, createCommand } from './command.ts';
import { refuseDebug } from './refuse-debug.ts';

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** What became of everything that runs created at one deployment. */
interface Account {
  deleted: number;
  gone: number;
  left: number;
  /** Records that the API cannot delete. They are named once, and then dropped from the ledger. */
  readonly undeletable: Entry[];
  /** The reasons why things are left. */
  readonly reasons: Set<string>;
}

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
  if (forget !== undefined) {
    return forgetOrigin(ended, forget.replace(/\/+$/, ''));
  }
  if (ended.length === 0) {
    say(nothingToDo);
    return 0;
  }
  return cleanAll(ended);
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
    throw new CannotRun(
      known.size === 0
        ? `Cannot forget ${origin}: no records are left anywhere`
        : `Cannot forget ${origin}: no records are left there${nearestHint(origin, [...known])}; records are left at ${[...known].join(', ')}`,
    );
  }
  say(`${origin}: ${dropped.length} forgotten`);
  return 0;
}

async function cleanAll(ledgers: readonly string[]): Promise<number> {
  const settings = readSettings();
  const accounts = new Map<string, Account>();
  const accountOf = ({ origin }: Entry): Account => {
    const account = accounts.get(origin) ?? { deleted: 0, gone: 0, left: 0, undeletable: [], reasons: new Set() };
    accounts.set(origin, account);
    return account;
  };
  const { transport, close } = socketTransport({ connections: 4, timeoutMs: settings.TIMEOUT_MS });
  const apis = { developer: developerApi, workspace: workspaceApi };
  const parts = { apis, settings, clock: systemClock, transport };
  const undeletable = drop(ledgers, (ledger) => ledger.undeletable());
  for (const { entry, end, why } of await cleanUpLedgers(ledgers, ledgerFolder, parts)) {
    const account = accountOf(entry);
    account[end] += 1;
    if (end === 'left') {
      account.reasons.add(why);
    }
  }
  for (const entry of undeletable) {
    accountOf(entry).undeletable.push(entry);
  }
  await close();
  const damaged = ledgers.filter(isDamaged);
  if (accounts.size === 0 && damaged.length === 0) {
    say(nothingToDo);
  }
  for (const [origin, account] of accounts) {
    say(lineOf(origin, account));
  }
  for (const name of damaged) {
    say(`${ledgerFolder}/${name}.jsonl: some lines cannot be read, so records may be left: ${howToEnd}`);
  }
  return damaged.length > 0 || [...accounts.values()].some(({ left }) => left > 0) ? 1 : 0;
}

const howToEnd = "search the deployment for the run's tag, then delete the file";

/** Whether a ledger has lines that cannot be read. */
function isDamaged(name: string): boolean {
  const { ledger, close } = openLedger(name);
  close();
  return ledger.unreadable > 0;
}

/** The line about one deployment. */
function lineOf(origin: string, { deleted, gone, left, undeletable, reasons }: Account): string {
  const counts: readonly (readonly [number, string])[] = [
    [deleted, 'deleted'],
    [gone, 'already gone'],
    [left, 'left'],
  ];
  const shown = counts.filter(([many]) => many > 0).map(([many, what]) => `${many} ${what}`);
  const forget = `if that deployment is gone: npm run cleanup -- --forget ${origin}`;
  const why = left === 0 ? '' : `: ${[...reasons].slice(0, 3).join('; ')}; ${forget}`;
  const named = namesOfUndeletable(undeletable).map((names) => `; ${names}`);
  return `${origin}: ${shown.length === 0 ? 'nothing to delete' : shown.join(', ')}${why}${named.join('')}`;
}

refuseDebug();
await carryOut(command, run);
