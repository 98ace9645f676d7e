import { lstatSync } from 'node:fs';
import { CannotRun } from '../common/cannot-run.ts';
import { shorten, shortenKeyLike } from '../common/redaction/key-like.ts';
import { decoded } from '../common/uri.ts';
import { type Setting, settings as table } from '../contract/settings.ts';
import { type Env, readEnvFile } from './env-file.ts';
import { nearSetting } from './near-names.ts';
import { type ExtraHeaders, formOf, parseHeaders, refusalOf, type Settings, takes } from './values.ts';

export type { Settings } from './values.ts';

const numeric = new Set<Setting['kind']>(['count', 'positive', 'factor', 'seed']);

function parseValue(setting: Setting, text: string): string | number | ExtraHeaders {
  if (setting.kind === 'headers') {
    return parseHeaders(setting, text);
  }
  if (numeric.has(setting.kind)) {
    return Number(text);
  }
  return setting.kind === 'origin' ? text.replace(/\/+$/, '') : text;
}

/** The validated settings from environment variables; an empty variable counts as not set. Throws CannotRun. */
export function parseSettings(env: Env): Settings {
  const refused = table.flatMap((setting) => {
    const text = env[setting.name];
    return text && !takes(setting, text) ? [refusalOf(setting, text)] : [];
  });
  if (refused.length > 0) {
    throw new CannotRun(refused.join('. '));
  }
  const values = table.flatMap((setting) => {
    const text = env[setting.name] || setting.default;
    return text === undefined ? [] : [[setting.name, parseValue(setting, text)]];
  });
  const settings = Object.fromEntries(values) as Settings;
  refuseContradictions(settings);
  return settings;
}

/**
 * The variables of the environment and of the `.env` file in this folder, if there is one; the environment wins. Read it
 * once: the file may be a pipe, which is empty the second time. Throws CannotRun.
 */
export function readGiven(env: Env = process.env, file = '.env'): Env {
  // A link that leads nowhere is meant to be a file, too.
  const inFile = lstatSync(file, { throwIfNoEntry: false }) === undefined ? {} : readEnvFile(file);
  const isGiven = ([name, value]: readonly [string, string | undefined]): boolean =>
    value !== undefined && !(value === '' && inFile[name] !== undefined && restricting.has(name));
  return { ...inFile, ...Object.fromEntries(Object.entries(env).filter(isGiven)) };
}

/**
 * Settings whose value in `.env` an empty variable does not undo: a CI variable that does not exist is empty, and would
 * permit what the file forbids. An empty key is a way to leave a key out, and an empty URL is refused.
 */
const restricting = new Set(
  table
    .filter(({ kind }) => kind !== 'secret' && kind !== 'origin' && kind !== 'url')
    .map(({ name }) => name as string),
);

/**
 * The settings from the process environment and the `.env` file in this folder. Throws CannotRun as `settingsOf` does.
 */
export const readSettings = (env?: Env, file?: string): Settings => settingsOf(readGiven(env, file));

/**
 * The settings among what the user gives. Throws CannotRun, with one line that names the setting, if a value cannot be
 * used, a URL is set but empty, or a name is nearly that of a setting.
 */
export function settingsOf(env: Env): Settings {
  refuseNearNames(env);
  for (const setting of table.filter(({ kind }) => kind === 'origin' || kind === 'url')) {
    if (env[setting.name] === '') {
      throw new CannotRun(
        `Cannot use ${setting.name}: it is set but empty (a missing CI secret looks like this); set it to ${formOf(setting)}, or unset it`,
      );
    }
  }
  const settings = parseSettings(env);
  refuseStrayKeys(settings);
  return settings;
}

/** Throws CannotRun for misspelt settings: ignored, they would let the run judge something else than the user meant. */
export function refuseNearNames(env: Env): void {
  for (const name of Object.keys(env)) {
    const meant = nearSetting(name);
    if (meant !== undefined) {
      throw new CannotRun(`Unknown setting ${name}: did you mean ${meant}? Otherwise unset it`);
    }
  }
}

/**
 * The folder for reports. It is needed even if the settings cannot be used, since the reports say why: where REPORTS_DIR
 * itself is refused, it is the usual one.
 */
export function reportsFolder({ REPORTS_DIR: given }: Env): string {
  const setting = table.find(({ name }) => name === 'REPORTS_DIR') as Setting;
  return given && takes(setting, given) ? given : String(setting.default);
}

/** The settings as reports show them, with secrets shortened. */
export const shownSettings = (settings: Settings): Record<string, string> =>
  Object.fromEntries(
    table.flatMap(({ name, kind }) => {
      const value = settings[name as keyof Settings];
      return value === undefined ? [] : [[name, shownValue(kind, value)]];
    }),
  );

function shownValue(kind: Setting['kind'], value: string | number | ExtraHeaders): string {
  if (typeof value === 'object') {
    return JSON.stringify(Object.fromEntries(Object.keys(value).map((name) => [name, '…'])));
  }
  return kind === 'secret' ? shorten(`${value}`) : withoutLogin(`${value}`);
}

/** What no report may show of the settings: keys, secrets, headers, and what logs in to the URL for webhooks. */
export const secretsIn = (settings: Settings): string[] => [
  ...table.flatMap(({ name, kind }) => {
    const value = settings[name as keyof Settings];
    return kind === 'secret' && typeof value === 'string' ? [value] : [];
  }),
  ...loginIn(settings.WEBHOOK_PUBLIC_URL),
  ...Object.values(settings.EXTRA_HEADERS ?? {}).flatMap((value) => [value, value.replace(/^\w+ /, '')]),
];

/** The user, the password and the values of the query in a URL: a tunnel may ask for them. */
function loginIn(url: string | undefined): string[] {
  if (url === undefined || !URL.canParse(url)) {
    return [];
  }
  const { username, password, searchParams } = new URL(url);
  return [...[username, password].map(decoded), ...searchParams.values()].filter((text) => text !== '');
}

/** A URL with `…` in place of what logs in; any other text as it is. */
const withoutLogin = (text: string): string =>
  loginIn(text).length === 0 ? text : text.replace(/\/\/[^/@]*@/, '//…@').replace(/(?<=[?&][^=&]*=)[^&#]+/g, '…');

/** All keys must differ: with one key in two settings, clauses that compare the two would hold by themselves. */
const keySettings = table.map(({ name }) => name as keyof Settings).filter((name) => name.endsWith('_API_KEY'));

/** The APIs, and the keys of which a run needs one. */
const owners = [
  {
    url: 'BASE_URL',
    path: '/api/v1',
    isKey: (name: string) => !name.startsWith('WORKSPACE_'),
    keys: ['SANDBOX_API_KEY', 'LIVE_API_KEY'],
    advice: 'SANDBOX_API_KEY to a svc_test_ key (or LIVE_API_KEY to a svc_live_ key) with all twelve scopes',
  },
  {
    url: 'WORKSPACE_API_URL',
    path: '/v1',
    isKey: (name: string) => name.startsWith('WORKSPACE_'),
    keys: ['WORKSPACE_API_KEY'],
    advice: 'WORKSPACE_API_KEY to a workspace key with full permission',
  },
] as const;

/** Throws CannotRun, with one line that names the setting, if settings that are each valid do not fit together. */
function refuseContradictions(settings: Settings): void {
  const { WORKSPACE_API_URL, EXTRA_HEADERS = {} } = settings;
  for (const { url, path } of owners) {
    const origin = settings[url];
    // A common slip: the origin ends with what the documented paths already begin with.
    if (origin?.endsWith(path)) {
      const must = `must not contain ${path}, which every documented path already starts with`;
      throw new CannotRun(`Cannot use ${url}: got ${JSON.stringify(shortenKeyLike(origin))}, ${must}`);
    }
  }
  const missing = owners.filter(({ url, keys }) => settings[url] !== undefined && !keys.some((key) => settings[key]));
  if (missing.length > 0) {
    throw new CannotRun(
      missing.map(({ url, advice }) => `Cannot check ${url} without a key: set ${advice}`).join('. '),
    );
  }
  if (WORKSPACE_API_URL !== undefined && Object.keys(EXTRA_HEADERS).some((name) => /^authorization$/i.test(name))) {
    throw new CannotRun(
      'Cannot use EXTRA_HEADERS: Authorization carries the keys of the workspace API; leave it out, or judge the developer API alone',
    );
  }
}

/**
 * Throws CannotRun for a key whose API is no target, and for a key in two settings. Both are slips, and the verdicts
 * would mislead.
 */
function refuseStrayKeys(settings: Settings): void {
  for (const { url, isKey } of owners) {
    const key = keySettings.find((name) => isKey(name) && settings[name] !== undefined);
    if (settings[url] === undefined && key !== undefined) {
      throw new CannotRun(
        `Cannot use ${key} without ${url}: set ${url} to the origin that the key is for, or unset ${key}`,
      );
    }
  }
  for (const [index, name] of keySettings.entries()) {
    const value = settings[name];
    const first = keySettings.slice(0, index).find((other) => settings[other] === value);
    if (value !== undefined && first !== undefined) {
      throw new CannotRun(
        `Cannot use ${name}: it is the same key as ${first} (${shorten(`${value}`)}); set a different one`,
      );
    }
  }
}
