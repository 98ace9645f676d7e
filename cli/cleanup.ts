import { systemClock } from '../common/clock.ts';
import { createRedactor } from '../common/redact.ts';
import { CannotRun } from '../results/stop.ts';
import { readSettings } from '../settings/settings.ts';
import { developerApi } from '../suites/developer/api.ts';
import { ledgerFolder, leftLedgers } from '../suites/session/ledger.ts';
import { isAlive } from '../suites/session/ledger-name.ts';
import { socketTransport } from '../suites/session/undici-transport.ts';
import type { Cleaned } from '../suites/shared/clean-up.ts';
import { cleanUpLedger } from '../suites/shared/left-ledgers.ts';
import { workspaceApi } from '../suites/workspace/api.ts';

/**
 * `npm run cleanup`: deletes what earlier runs created and could not delete, with the settings of those runs. Ends with 0
 * where nothing is left, 1 where something is, 2 where it could not try.
 */
async function main(): Promise<0 | 1 | 2> {
  const ledgers = leftLedgers();
  const alive = ledgers.filter(isAlive);
  for (const name of alive) {
    process.stdout.write(`Not touched: ${ledgerFolder}/${name}.jsonl belongs to a run that is under way\n`);
  }
  const dead = ledgers.filter((name) => !alive.includes(name));
  if (dead.length === 0) {
    return end('Nothing to clean up', 0);
  }
  const settings = readSettings();
  const { transport, close } = socketTransport({ connections: 4, timeoutMs: settings.TIMEOUT_MS });
  const { clean } = createRedactor();
  const apis = { developer: developerApi, workspace: workspaceApi };
  const all: Cleaned[] = [];
  for (const name of dead) {
    const cleaned = await cleanUpLedger(name, ledgerFolder, { apis, settings, clock: systemClock, transport });
    for (const one of cleaned) {
      process.stdout.write(`${clean(lineOf(one))}\n`);
    }
    all.push(...cleaned);
  }
  await close();
  return end(summary(all), all.some(({ end: one }) => one === 'left') ? 1 : 0);
}

const words = { deleted: 'Deleted', gone: 'Gone   ', left: 'Left   ' } as const;

function lineOf({ entry: { origin, collection, id, tag }, end: one, why }: Cleaned): string {
  const name = id === undefined ? `"${tag}" in ${origin}${collection}` : `${origin}${collection}/${id}`;
  return `${words[one]}  ${name}${why === '' ? '' : `: ${why}`}`;
}

function summary(all: readonly Cleaned[]): string {
  const count = (wanted: Cleaned['end']): number => all.filter(({ end: one }) => one === wanted).length;
  const left = count('left');
  return `${count('deleted')} deleted, ${count('gone')} already gone, ${left} left${left > 0 ? ' (they stay in the ledger; npm run cleanup tries again)' : ''}`;
}

function end(line: string, status: 0 | 1): 0 | 1 {
  process.stdout.write(`${line}\n`);
  return status;
}

try {
  process.exitCode = await main();
} catch (error) {
  const text =
    error instanceof CannotRun
      ? error.message
      : `Cleaning up broke: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  process.stderr.write(`${createRedactor().clean(text)}\n`);
  process.exitCode = 2;
}
