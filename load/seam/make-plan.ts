// From the variables of a run to the plan of a script. k6 and the command make the same plan from the same variables.
import { CannotRun } from '../../common/cannot-run.ts';
import type { ApiName } from '../../contract/clause.ts';
import { keyLimits, type Limits, minuteAt, minuteMs, planLimits } from '../../contract/limits.ts';
import { settings } from '../../contract/settings.ts';
import { burstSize } from '../../limits/procedure/burst.ts';
import {
  type KeyName,
  keyNames,
  plainRead,
  type ScriptName,
  type SkippedKey,
  settingOf,
  type Variables,
} from './plan.ts';

const apiOfKey = (name: KeyName): ApiName => (name === 'workspace' ? 'workspace' : 'developer');
const urlSetting: Readonly<Record<ApiName, string>> = { developer: 'BASE_URL', workspace: 'WORKSPACE_API_URL' };
/** The second key of a pair, for `shared`: the workspace's, or the given sandbox key beside one that the command makes. */
const secondSetting: Readonly<Record<ApiName, string>> = {
  developer: 'LOAD_SECOND_API_KEY',
  workspace: 'WORKSPACE_SECOND_API_KEY',
};

/** The settings that scripts read. */
export const settingsOfScripts: readonly string[] = [
  ...keyNames.map(settingOf),
  'BASE_URL',
  'WORKSPACE_API_URL',
  'WORKSPACE_SECOND_API_KEY',
  'WORKSPACE_PLAN',
  'ENTERPRISE_PER_MINUTE',
  'EXHAUST',
  'CLOCK_SPEED',
  'STRICT',
  'MAX_REQUESTS',
  'TIMEOUT_MS',
  'EXTRA_HEADERS',
];

/** The value of a setting or option; '' if it has none. */
const valueIn = (env: Variables, name: string): string =>
  env[name] || (settings.find((setting) => setting.name === name)?.default ?? '');

/** The error for a value that cannot be used. The command's options and the scripts' variables have the same names. */
function unusable(env: Variables, name: string, must: string): CannotRun {
  const option = name.startsWith('LOAD_') ? `--${name.slice(5).toLowerCase()} (${name})` : name;
  return new CannotRun(`Cannot use ${option}: got ${JSON.stringify(env[name])}, must be ${must}`);
}

/** A number that passes the test; `otherwise` if there is none. */
function numberIn(
  env: Variables,
  name: string,
  otherwise = Infinity,
  [isRight, must]: readonly [(value: number) => boolean, string] = [() => true, 'a number greater than 0'],
): number {
  const value = Number(valueIn(env, name) || otherwise);
  if (!(value > 0 && (value === otherwise || isRight(value)))) {
    throw unusable(env, name, must);
  }
  return value;
}

const whole = [Number.isInteger, 'a whole number greater than 0'] as const;
const share = [(value: number) => value < 1, 'a share greater than 0 and less than 1'] as const;

/** A duration such as 90s, 10m, 2h in ms. */
function durationIn(env: Variables, name: string, otherwise: string): number {
  const [, count, unit = ''] = /^(\d{1,5})([smh])$/.exec(env[name] || otherwise) ?? [];
  const ms = Number(count) * ({ s: 1000, m: 60_000, h: 3_600_000 }[unit] ?? 0);
  if (!(ms > 0 && ms <= 86_400_000)) {
    throw unusable(env, name, 'a duration up to 24h such as 90s, 10m, 2h');
  }
  return ms;
}

function namesIn(env: Variables): readonly KeyName[] {
  const given = (env.LOAD_KEY || keyNames.join()).split(',').map((name) => name.trim());
  if (!given.every((name) => keyNames.includes(name as KeyName))) {
    throw unusable(env, 'LOAD_KEY', `some of ${keyNames.join(', ')}`);
  }
  return keyNames.filter((name) => given.includes(name));
}

function limitsOf(name: KeyName, env: Variables): Limits {
  if (name !== 'workspace') {
    return name === 'enterprise'
      ? { perMinute: numberIn(env, 'ENTERPRISE_PER_MINUTE'), perDay: null }
      : keyLimits[name];
  }
  const limits = (planLimits as Readonly<Record<string, Limits>>)[valueIn(env, 'WORKSPACE_PLAN')];
  if (limits === undefined) {
    throw unusable(env, 'WORKSPACE_PLAN', `one of ${Object.keys(planLimits).join(', ')}`);
  }
  return limits;
}

/** Why a key is not tried; null if it is. */
function obstacleOf(script: ScriptName, name: KeyName, env: Variables): string | null {
  const api = apiOfKey(name);
  const setting = settingOf(name);
  const exhaust = valueIn(env, 'EXHAUST');
  const missing = [urlSetting[api], setting].find((needed) => !env[needed]);
  if (missing !== undefined) {
    return `${missing} is not set`;
  }
  if (script !== 'soak' && exhaust !== 'all' && !isOwn(name, env)) {
    const own = exhaust === 'none' && (name === 'sandbox' || name === 'live');
    return `Using up the limit of ${setting} needs EXHAUST=all${own ? ', or EXHAUST=own for a key that npm run load creates' : ''} (now: ${exhaust})`;
  }
  return script === 'shared' && !env[secondSetting[api]]
    ? `${secondSetting[api]} is not set: a second key of the same ${api === 'workspace' ? 'workspace' : 'account'} is needed`
    : null;
}

/** Whether the key in a setting is one that the command made for this run. */
const isOwn = (name: KeyName, env: Variables): boolean => (env.LOAD_OWN ?? '').split(',').includes(name);

/** A key whose limit is tried, and what the documents promise it. */
export type Subject = ReturnType<typeof subjectOf>;

function subjectOf(script: ScriptName, name: KeyName, env: Variables) {
  const api = apiOfKey(name);
  const { perMinute, perDay } = limitsOf(name, env);
  const origin = (env[urlSetting[api]] ?? '').replace(/\/+$/, '');
  return {
    /** The key's name in reports: that of its setting, or words for one that the run made. */
    label: isOwn(name, env) ? `own ${name} key` : settingOf(name),
    api,
    /** The variable that holds the key. */
    keyEnv: settingOf(name),
    /** `shared`: the variable of the second key. */
    secondEnv: script === 'shared' ? secondSetting[api] : '',
    /** What stands before the documented paths, and the URL of the read that is made: one that is cheap to answer. */
    origin,
    url: origin + plainRead[api],
    /** Requests a minute and a day; `perDay` is null if the documents say unlimited. */
    limit: perMinute,
    perDay,
    /** Whether nobody else uses the key, or has lately: the run made it, or the user says so. */
    alone: isOwn(name, env) || Boolean(env.LOAD_ALONE),
    /** `per-day`: how many calls were admitted today before. */
    spent: Number((JSON.parse(env.LOAD_SPENT || '{}') as Record<string, number>)[settingOf(name)] ?? 0),
  };
}

/** What a script does. Each subject has a VU of its own. */
export type Plan = ReturnType<typeof planOf>;

/** The plan of a script. Throws CannotRun for a variable that cannot be used. */
export function planOf(script: ScriptName, env: Variables) {
  const plan = valuesOf(script, env);
  /** Why nothing can be tried; null if something can. */
  const trouble = troubleOf(plan, numberIn(env, 'MAX_REQUESTS'));
  return { ...plan, trouble };
}

type Values = ReturnType<typeof valuesOf>;

function valuesOf(script: ScriptName, env: Variables) {
  // The limit of a pair is that of sandbox keys and of the workspace.
  const names = namesIn(env).filter((name) => script !== 'shared' || name === 'sandbox' || name === 'workspace');
  /** A key that is not set is worth a word if it was asked for, or if its API is. */
  const isTold = (name: KeyName): boolean => Boolean(env.LOAD_KEY || env[urlSetting[apiOfKey(name)]]);
  const keys = names.map((name) => ({ name, why: obstacleOf(script, name, env) }));
  /** Why the command could not make keys, by the settings of the given ones. */
  const unmade = JSON.parse(env.LOAD_UNMADE || '{}') as Record<string, string>;
  const clockSpeed = numberIn(env, 'CLOCK_SPEED');
  return {
    script,
    subjects: keys.flatMap(({ name, why }) => (why === null ? [subjectOf(script, name, env)] : [])),
    skipped: keys.flatMap(({ name, why }): SkippedKey[] =>
      why === null || !isTold(name)
        ? []
        : [{ api: apiOfKey(name), label: settingOf(name), why: (unmade[settingOf(name)] ?? '') + why }],
    ),
    clockSpeed,
    /** The deployment's minute, in ms of real time. */
    windowMs: minuteAt(clockSpeed),
    timeoutMs: numberIn(env, 'TIMEOUT_MS'),
    strict: env.STRICT === '1',
    extraHeaders: JSON.parse(env.EXTRA_HEADERS || '{}') as Record<string, string>,
    bursts: numberIn(env, 'LOAD_BURSTS', 3, whole),
    /** `per-day`: the most calls with each key; Infinity for as many as the day takes. */
    calls: numberIn(env, 'LOAD_CALLS', Infinity, whole),
    soakMs: durationIn(env, 'LOAD_FOR', '5m'),
    /** The share of the limit that paced calls use. */
    pace: numberIn(env, 'LOAD_PACE', script === 'soak' ? 0.9 : 0.97, share),
    /** Whether the trace is written to the log, for the command. */
    traced: Boolean(env.LOAD_TRACE),
  };
}

/** About how many calls the script makes with one key. */
function callsWith(plan: Values, { limit, perDay }: Subject): number {
  const { script, bursts, soakMs, clockSpeed, pace, calls } = plan;
  const makes: Readonly<Record<ScriptName, number>> = {
    'per-minute': 4 * limit + 100,
    shared: 4 * limit + 100,
    burst: bursts * (burstSize(limit) + 3),
    soak: Math.ceil((soakMs * clockSpeed * limit * pace) / minuteMs),
    'per-day': Math.min(calls, (perDay ?? Infinity) + 20),
  };
  return makes[script];
}

function troubleOf(plan: Values, most: number): string | null {
  const { script, subjects, skipped } = plan;
  if (subjects.length === 0) {
    const why = skipped.map(({ label, why }) => `${label}: ${why}`).join('; ');
    return `No key can be tried: ${why || 'none is set'}`;
  }
  if (script === 'per-day' && plan.calls === Infinity && subjects.some(({ perDay }) => perDay === null)) {
    return 'Cannot use up an unlimited day: say with --calls (LOAD_CALLS) how many calls to make, or leave the key out with --key (LOAD_KEY)';
  }
  for (const api of ['developer', 'workspace'] as const) {
    const own = subjects.filter((subject) => subject.api === api);
    const calls = own.reduce((sum, subject) => sum + callsWith(plan, subject), 0);
    if (calls > most) {
      return `Cannot run ${script} on the ${api} API: it may need ${calls} requests, and MAX_REQUESTS is ${most}; set it higher, or choose fewer keys with --key (LOAD_KEY)`;
    }
  }
  return null;
}
