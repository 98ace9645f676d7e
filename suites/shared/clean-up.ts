import type { Clock } from '../../common/clock.ts';
import type { Api } from '../../contract/clause.ts';
import { keyLimits, planLimits } from '../../contract/limits.ts';
import type { Settings } from '../../settings/settings.ts';
import { urlSettings } from '../../settings/target.ts';
import type { ApiKey } from '../session/key.ts';
import { type Entry, type Ledger, openLedger } from '../session/ledger.ts';
import { type OpenSession, openSession } from '../session/open-session.ts';
import type { Transport } from '../session/transport.ts';
import { type Fate, removeLeftOver } from './left-over.ts';

export interface CleanUp {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly transport: Transport;
  /** Called with what became of each thing. */
  readonly onEnd: (entry: Entry, fate: Fate) => void;
}

/** How many things there were, by what became of them. */
export type Tally = Record<Fate['end'], number>;

/**
 * Deletes everything in the ledgers named, each in reverse order of making, on the deployment where it was made and only
 * there. What is not deleted stays in its ledger.
 */
export async function cleanUp(ledgers: readonly string[], folder: string, parts: CleanUp): Promise<Tally> {
  const tally: Tally = { deleted: 0, gone: 0, left: 0 };
  const sessions = new Map<Api, OpenSession>();
  for (const name of ledgers) {
    const { ledger, close } = openLedger(name, folder);
    for (const entry of ledger.open()) {
      const fate = await fateOf(entry, ledger, sessions, parts);
      tally[fate.end] += 1;
      if (fate.end !== 'left') {
        ledger.gone(entry);
      }
      parts.onEnd(entry, fate);
    }
    close();
  }
  return tally;
}

async function fateOf(entry: Entry, ledger: Ledger, sessions: Map<Api, OpenSession>, parts: CleanUp): Promise<Fate> {
  const { api, origin } = entry;
  const { settings } = parts;
  const setting = urlSettings[api];
  if (settings[setting] !== origin) {
    return { end: 'left', why: `set ${setting} to ${origin}, where it was made` };
  }
  const key = keyOf(entry, settings);
  if (key === null) {
    return { end: 'left', why: `set ${entry.keySetting} to the key with which it was made` };
  }
  const session = sessions.get(api) ?? sessionOf(api, ledger, parts);
  sessions.set(api, session);
  return removeLeftOver(session, entry, key);
}

const environments: Readonly<Record<string, ApiKey['environment']>> = {
  SANDBOX_API_KEY: 'sandbox',
  LIVE_API_KEY: 'live',
  ENTERPRISE_API_KEY: 'enterprise',
  WORKSPACE_API_KEY: 'workspace',
  WORKSPACE_SECOND_API_KEY: 'workspace',
  WORKSPACE_LIMITED_API_KEY: 'workspace',
};

/** The key of the setting that the ledger names; a thing that a key of the run made belongs to the account of the main key. */
function keyOf({ api, keySetting }: Entry, settings: Settings): ApiKey | null {
  const main = api === 'workspace' ? ['WORKSPACE_API_KEY'] : ['SANDBOX_API_KEY', 'LIVE_API_KEY'];
  const names = keySetting in environments ? [keySetting] : main;
  return (
    names.flatMap((label) => {
      const secret = settings[label as keyof Settings];
      return secret === undefined
        ? []
        : [{ secret: String(secret), label, environment: environments[label] ?? 'sandbox', origin: 'given' as const }];
    })[0] ?? null
  );
}

const sessionOf = (api: Api, ledger: Ledger, { settings, clock, transport }: CleanUp): OpenSession =>
  openSession({
    api,
    origin: settings[urlSettings[api]] ?? '',
    settings,
    clock,
    transport,
    ledger,
    seed: 0,
    tag: '',
    limitOf: ({ environment }) =>
      environment === 'workspace'
        ? planLimits[settings.WORKSPACE_PLAN].perMinute
        : keyLimits[environment === 'enterprise' ? 'enterprise' : environment].perMinute,
  });
