import type { Clock } from '../../../common/clock.ts';
import type { Api as ApiName } from '../../../contract/clause.ts';
import type { Settings } from '../../../settings/settings.ts';
import { urlSettings } from '../../../settings/target.ts';
import type { Api } from '../../session/api.ts';
import type { Entry } from '../../session/ledger/ledger.ts';
import { openLedger } from '../../session/ledger/ledger-file.ts';
import { openSession } from '../../session/open-session.ts';
import type { Session } from '../../session/session.ts';
import type { Transport } from '../../session/transport/transport.ts';
import type { Cleaned } from './clean-up.ts';
import { cleanUpAll } from './sweep.ts';

/** What cleaning up after earlier runs takes. */
interface CleanUpParts {
  readonly apis: Readonly<Record<ApiName, Api<Session>>>;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly transport: Transport;
}

/**
 * Deletes everything in a ledger that an earlier run left, on the deployment where it was made and only there. What is not
 * deleted stays in the ledger.
 */
export async function cleanUpLedger(name: string, folder: string, parts: CleanUpParts): Promise<Cleaned[]> {
  const { apis, settings, clock, transport } = parts;
  const { ledger, close } = openLedger(name, folder);
  const entries = ledger.toDelete();
  const all = [...entries, ...ledger.refusedCreates()];
  const cleaned: Cleaned[] = [];
  for (const api of [...new Set(all.map((entry) => entry.api))]) {
    const origin = settings[urlSettings[api]] ?? '';
    const own = entries.filter((entry) => entry.api === api);
    const session = openSession(apis[api], { origin, settings, clock, transport, ledger, seed: 0, tag: '' });
    cleaned.push(...own.filter((entry) => entry.origin !== origin).map(elsewhere));
    cleaned.push(...(await cleanUpPatiently(session, own)));
  }
  close();
  return cleaned.sort((a, b) => b.entry.number - a.entry.number);
}

/** How often a thing is tried that could not be deleted: what a killed run had just sent may still be under way. */
const attempts = 3;

async function cleanUpPatiently(session: Session, entries: readonly Entry[]): Promise<Cleaned[]> {
  const ends = new Map<Entry, Cleaned>();
  let open = [...entries];
  // The first attempt also looks for what was refused and may have been made all the same.
  for (let attempt = 1; attempt <= attempts && (attempt === 1 || open.length > 0); attempt += 1) {
    const sent = session.client.sent;
    for (const cleaned of await cleanUpAll(session, open)) {
      ends.set(cleaned.entry, cleaned);
    }
    open = open.filter((entry) => ends.get(entry)?.end === 'left');
    if (session.client.sent === sent || isOutOfReach(session)) {
      break;
    }
    if (open.length > 0 && attempt < attempts) {
      await session.clock.sleep(session.settings.KEY_SETTLE_MS);
    }
  }
  return [...ends.values()];
}

const isOutOfReach = ({ evidence }: Session): boolean =>
  ['refused', 'dns', 'tls', 'timeout'].includes(evidence.exchanges.at(-1)?.failure?.kind ?? '');

const elsewhere = (entry: Entry): Cleaned => ({
  entry,
  end: 'left',
  why: `set ${urlSettings[entry.api]} to ${entry.origin}, where it was made`,
});
