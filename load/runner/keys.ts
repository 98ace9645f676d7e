import { randomBytes } from 'node:crypto';
import type { ApiName } from '../../contract/clause.ts';
import { keyLimits, type Limits, planLimits } from '../../contract/limits.ts';
import { type Environment, keyPrefix } from '../../contract/scopes.ts';
import { capital } from '../../reports/text.ts';
import type { Settings } from '../../settings/settings.ts';
import { targetsOf, urlSettings } from '../../settings/target.ts';
import type { Subject } from '../seam/plan.ts';
import { type Arguments, type KeyName, keyNames } from './arguments.ts';
import { plainRead } from './reads.ts';

/** Makes keys for the run, so that the budgets of given keys are not used up, and deletes them at the end. */
export interface KeyMaker {
  /** Makes a key with all scopes. Gives its secret, or one line about why there is none. */
  readonly make: (
    environment: Environment,
    purpose: string,
  ) => Promise<{ readonly secret: string; readonly label: string } | { readonly why: string }>;
  /** Deletes all keys that were made. Gives a line for each that is left behind. */
  readonly close: () => Promise<string[]>;
}

/** A key that is not tried, and why. */
export interface SkippedKey {
  readonly api: ApiName;
  readonly label: string;
  readonly why: string;
}

/** The keys of a run: those whose limits are tried, and those that are skipped. */
export interface Keys {
  readonly subjects: readonly Subject[];
  /** The secrets of the subjects, by the environment variables in which k6 gets them. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly skipped: readonly SkippedKey[];
}

type KeySetting = keyof Settings & `${string}_API_KEY`;

/** A key in the settings. */
interface GivenKey {
  readonly name: KeyName;
  readonly api: ApiName;
  readonly setting: KeySetting;
  readonly limits: Limits;
  readonly url: string;
}

/** The API and the setting of each key. */
const keys: Readonly<Record<KeyName, { readonly api: ApiName; readonly setting: KeySetting }>> = {
  sandbox: { api: 'developer', setting: 'SANDBOX_API_KEY' },
  live: { api: 'developer', setting: 'LIVE_API_KEY' },
  enterprise: { api: 'developer', setting: 'ENTERPRISE_API_KEY' },
  workspace: { api: 'workspace', setting: 'WORKSPACE_API_KEY' },
};

function limitsOf(name: KeyName, { WORKSPACE_PLAN, ENTERPRISE_PER_MINUTE }: Settings): Limits {
  if (name === 'workspace') {
    return planLimits[WORKSPACE_PLAN];
  }
  return name === 'enterprise' ? { perMinute: ENTERPRISE_PER_MINUTE, perDay: null } : keyLimits[name];
}

function givenKeys(settings: Settings, names: readonly KeyName[]): GivenKey[] {
  return keyNames
    .filter((name) => names.includes(name))
    .flatMap((name) => {
      const { api, setting } = keys[name];
      const origin = settings[urlSettings[api]];
      return origin === undefined || settings[setting] === undefined
        ? []
        : [{ name, api, setting, limits: limitsOf(name, settings), url: origin + plainRead[api] }];
    });
}

const unknownKey = (api: ApiName, name: KeyName): string => {
  const text = randomBytes(24).toString('base64url').replaceAll(/[-_]/g, 'x');
  return api === 'workspace' ? text : `${keyPrefix[name === 'sandbox' ? 'sandbox' : 'live']}${text}`;
};

const subjectOf = (key: GivenKey, label: string, keyEnv: string, alone: boolean): Subject => ({
  label,
  keyEnv,
  alone,
  api: key.api,
  url: key.url,
  limit: key.limits.perMinute,
  perDay: key.limits.perDay,
  unknownKey: unknownKey(key.api, key.name),
});

const none: Keys = { subjects: [], secrets: {}, skipped: [] };

const joined = (all: readonly Keys[]): Keys => ({
  subjects: all.flatMap(({ subjects }) => subjects),
  secrets: Object.assign({}, ...all.map(({ secrets }) => secrets)),
  skipped: all.flatMap(({ skipped }) => skipped),
});

const skip = ({ api }: GivenKey, label: string, why: string): Keys => ({ ...none, skipped: [{ api, label, why }] });

const given = (key: GivenKey, label: string, secret: string, alone: boolean): Keys => ({
  ...none,
  subjects: [subjectOf(key, label, label, alone)],
  secrets: { [label]: secret },
});

/** Whether the run can make keys of this kind. */
const canMake = (name: KeyName): name is Environment => name === 'sandbox' || name === 'live';

/** With EXHAUST=own: a key that the run makes to be tried instead of the given one, if it can be made. */
async function ownKey(key: GivenKey, maker: KeyMaker, purpose = ''): Promise<Keys> {
  const { name, setting } = key;
  const needs = `using up the limit of ${setting} needs EXHAUST=all`;
  if (!canMake(name)) {
    return skip(key, setting, `${capital(needs)} (now: own)`);
  }
  const made = await maker.make(name, purpose);
  if ('why' in made) {
    return skip(key, setting, `No ${name} key could be made (${made.why}), and ${needs} (now: own)`);
  }
  const keyEnv = `LOAD_KEY_${name}_${purpose}`.toUpperCase();
  return { ...none, subjects: [subjectOf(key, made.label, keyEnv, true)], secrets: { [keyEnv]: made.secret } };
}

function notExhausted(key: GivenKey): Keys {
  const own = canMake(key.name) ? ', or EXHAUST=own for a key that the run creates' : '';
  return skip(key, key.setting, `Using up the limit of ${key.setting} needs EXHAUST=all${own} (now: none)`);
}

/** Two keys of the run's own, for `shared`; none if only one could be made. */
async function ownPair(key: GivenKey, { EXHAUST }: Settings, maker: KeyMaker): Promise<Keys> {
  if (EXHAUST === 'none') {
    return notExhausted(key);
  }
  const pair = joined([await ownKey(key, maker, 'first'), await ownKey(key, maker, 'second')]);
  return pair.subjects.length === 1 ? { ...pair, subjects: [] } : pair;
}

const secondSetting = 'WORKSPACE_SECOND_API_KEY';

/** The workspace's two keys, for `shared`. */
function workspacePair(key: GivenKey, settings: Settings, alone: boolean): Keys {
  const second = settings[secondSetting];
  if (settings.EXHAUST !== 'all') {
    const why = `Using up the limit of the workspace needs EXHAUST=all (now: ${settings.EXHAUST})`;
    return skip(key, key.setting, why);
  }
  if (second === undefined) {
    return skip(key, secondSetting, `${secondSetting} is not set: a second key of the same workspace is needed`);
  }
  return joined([
    given(key, key.setting, String(settings[key.setting]), alone),
    given(key, secondSetting, second, alone),
  ]);
}

async function pairOf(key: GivenKey, settings: Settings, maker: KeyMaker, alone: boolean): Promise<Keys> {
  if (key.name === 'workspace') {
    return workspacePair(key, settings, alone);
  }
  return key.name === 'sandbox' ? ownPair(key, settings, maker) : none;
}

/** The keys that are wanted and not set: those chosen with --key, or all keys of a target that has none. */
function missing(settings: Settings, names: readonly KeyName[], given: readonly GivenKey[]): SkippedKey[] {
  const isChosen = names.length < keyNames.length;
  const withoutKeys = targetsOf(settings)
    .filter(({ api }) => !given.some((key) => key.api === api))
    .map(({ api }) => api);
  return names
    .filter((name) => !given.some((key) => key.name === name))
    .filter((name) => isChosen || (withoutKeys.includes(keys[name].api) && name !== 'enterprise'))
    .map((name) => {
      const { api, setting } = keys[name];
      const url = urlSettings[api];
      return { api, label: setting, why: `${settings[url] === undefined ? url : setting} is not set` };
    });
}

/** Chooses the keys to try by EXHAUST and --key, and makes keys if needed. */
export async function chooseKeys(settings: Settings, options: Arguments, maker: KeyMaker): Promise<Keys> {
  const { script, alone } = options;
  const fromSettings = givenKeys(settings, options.keys);
  const skipped = missing(settings, options.keys, fromSettings);
  const all: Keys[] = [];
  for (const key of fromSettings) {
    if (script === 'shared') {
      all.push(await pairOf(key, settings, maker, alone));
    } else if (script === 'soak' || settings.EXHAUST === 'all') {
      all.push(given(key, key.setting, String(settings[key.setting]), alone));
    } else {
      all.push(settings.EXHAUST === 'none' ? notExhausted(key) : await ownKey(key, maker));
    }
  }
  const chosen = joined(all);
  const lacking = script === 'shared' ? skipped.filter(({ label }) => label !== 'LIVE_API_KEY') : skipped;
  return { ...chosen, skipped: [...lacking, ...chosen.skipped] };
}
