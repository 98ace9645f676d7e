import { CannotRun } from '../common/cannot-run.ts';
import { shorten, shortenKeyLike } from '../common/redaction/key-like.ts';
import { settings as table } from '../contract/settings.ts';
import type { Settings } from './values.ts';

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
export function refuseContradictions(settings: Settings): void {
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
export function refuseStrayKeys(settings: Settings): void {
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
