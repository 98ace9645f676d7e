import type { Clock } from '../../common/clock.ts';
import type { ApiName } from '../../contract/clause.ts';
import type { Settings } from '../../settings/settings.ts';
import { urlSettings } from '../../settings/target.ts';
import type { Api } from '../session/api.ts';
import type { Entry } from '../session/ledger/ledger.ts';
import { openLedger } from '../session/ledger/ledger-file.ts';
import { openSession } from '../session/open-session.ts';
import type { Session } from '../session/session.ts';
import type { Transport } from '../session/transport/transport.ts';
import type { Cleaned } from './clean-up.ts';
import { cleanUpAll } from './sweep.ts';

/** What clean-up after earlier runs needs. */
interface CleanUpParts {
  readonly apis: Readonly<Record<ApiName, Api<Session>>>;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly transport: Transport;
}

/**
 * Deletes the records in the ledgers that earlier runs left, on the deployments where they were made and only there. What
 * is not deleted stays in its ledger. Gives what became of each.
 */
export async function cleanUpLedgers(
  names: readonly string[],
  folder: string,
  parts: CleanUpParts,
): Promise<readonly Cleaned[]> {
  const cleaned: Cleaned[] = [];
  for (const name of names) {
    cleaned.push(...(await cleanUpLedger(name, folder, parts)));
  }
  return cleaned;
}

/** Cleans up after one run. Gives what became of each record, latest first. */
async function cleanUpLedger(name: string, folder: string, parts: CleanUpParts): Promise<Cleaned[]> {
  const { apis, settings, clock, transport } = parts;
  const { ledger, close } = openLedger(name, folder);
  const toDelete = ledger.toDelete();
  const cleaned: Cleaned[] = [];
  for (const api of new Set(ledger.all().flatMap((entry) => (entry.gone ? [] : [entry.api])))) {
    const origin = settings[urlSettings[api]] ?? '';
    const entries = toDelete.filter((entry) => entry.api === api);
    const session = openSession(apis[api], { origin, settings, clock, transport, ledger, seed: 0, tag: '' });
    cleaned.push(...entries.filter((entry) => entry.origin !== origin).map(madeElsewhere));
    cleaned.push(...(await cleanUpAll(session, entries)));
  }
  close();
  return cleaned.sort((a, b) => b.entry.number - a.entry.number);
}

const madeElsewhere = (entry: Entry): Cleaned => ({
  entry,
  end: 'left',
  why: `set ${urlSettings[entry.api]} to ${entry.origin}, where it was created`,
});
