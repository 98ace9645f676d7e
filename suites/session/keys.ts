import { settings as table } from '../../contract/settings.ts';
import { Skipped } from '../../results/outcome.ts';
import type { ApiKey, KeyName } from './key.ts';
import type { Session } from './session.ts';

type Holder = Pick<Session, 'api' | 'settings'>;

/** A key given in the settings, as calls send it; undefined where the setting is not set. */
export function givenKey({ api, settings }: Holder, name: string): ApiKey | undefined {
  const known = api.keys.find(({ setting }) => setting === name);
  const secret = known && settings[known.setting];
  if (known === undefined || secret === undefined) {
    return undefined;
  }
  const origin = known.isRevoked ? 'unknown' : 'given';
  return { secret, label: known.setting, setting: known.setting, environment: known.environment, origin };
}

/** The key of a setting, as calls send it. Throws Skipped, which names the setting, where it is not set. */
export function requireKey(session: Holder, setting: KeyName): ApiKey {
  const key = givenKey(session, setting);
  if (key === undefined) {
    throw new Skipped(`${setting} is not set: set it to ${meaningOf(setting)} to judge this clause`, { setting });
  }
  return key;
}

/** The keys given in the settings that open the whole API; the run is made with the first. */
export const mainKeys = (session: Holder): ApiKey[] =>
  session.api.keys.flatMap(({ setting, isMain }) => (isMain ? (givenKey(session, setting) ?? []) : []));

/** The key that the run is made with. Throws Skipped where none is set. */
export function mainKey(session: Holder): ApiKey {
  const [key] = mainKeys(session);
  return key ?? requireKey(session, mainSetting(session));
}

/** The setting to name where no main key is given. */
export const mainSetting = ({ api }: Pick<Holder, 'api'>): KeyName =>
  (api.keys.find(({ isMain }) => isMain) ?? api.keys[0]).setting;

/** What the setting must hold, in words: `a revoked key`. */
export function meaningOf(setting: KeyName): string {
  const meaning = table.find(({ name }) => name === setting)?.meaning ?? 'a key';
  return meaning.charAt(0).toLowerCase() + meaning.slice(1);
}
