import { CannotRun } from '../common/cannot-run.ts';
import { shorten, shortenKeyLike } from '../common/redaction/key-like.ts';
import type { Settings } from './shape.ts';

/** All these keys must differ: with one key in two settings, clauses that compare the two would hold by themselves. */
const keySettings = [
  'SANDBOX_API_KEY',
  'LIVE_API_KEY',
  'ENTERPRISE_API_KEY',
  'WORKSPACE_API_KEY',
  'WORKSPACE_SECOND_API_KEY',
  'WORKSPACE_LIMITED_API_KEY',
  'WORKSPACE_REVOKED_API_KEY',
  'WORKSPACE_OTHER_API_KEY',
] as const;

const owners = [
  { url: 'BASE_URL', path: '/api/v1', isKey: (name: string) => !name.startsWith('WORKSPACE_') },
  { url: 'WORKSPACE_API_URL', path: '/v1', isKey: (name: string) => name.startsWith('WORKSPACE_') },
] as const;

/** Throws CannotRun, with one line that names the setting, if settings that are each valid do not fit together. */
export function refuseContradictions(settings: Settings): void {
  for (const { url, path } of owners) {
    refuseOrigin(url, path, settings[url]);
  }
  refuseMissingKeys(settings);
  refuseAuthorization(settings);
  for (const name of ['TIMEOUT_MS', 'MAX_REQUESTS', 'ENTERPRISE_PER_MINUTE'] as const) {
    if (settings[name] === 0) {
      throw new CannotRun(`Cannot use ${name}: got "0", must be a whole number greater than 0`);
    }
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
  refuseRepeatedKeys(settings);
}

function refuseOrigin(name: string, path: string, origin: string | undefined): void {
  if (origin !== undefined && !URL.canParse(origin)) {
    throw new CannotRun(
      `Cannot use ${name}: got ${JSON.stringify(shortenKeyLike(origin))}, must be an absolute URL such as https://api.example.com`,
    );
  }
  // A common slip: the documented paths already begin with it.
  if (origin?.endsWith(path)) {
    throw new CannotRun(
      `Cannot use ${name}: got ${JSON.stringify(shortenKeyLike(origin))}, must not contain ${path}, which every documented path already starts with`,
    );
  }
}

function refuseMissingKeys(settings: Settings): void {
  const missing = [
    ...(settings.BASE_URL !== undefined && !settings.SANDBOX_API_KEY && !settings.LIVE_API_KEY
      ? [
          'Cannot check BASE_URL without a key: set SANDBOX_API_KEY to a svc_test_ key (or LIVE_API_KEY to a svc_live_ key) with all twelve scopes',
        ]
      : []),
    ...(settings.WORKSPACE_API_URL !== undefined && !settings.WORKSPACE_API_KEY
      ? ['Cannot check WORKSPACE_API_URL without a key: set WORKSPACE_API_KEY to a workspace key with full permission']
      : []),
  ];
  if (missing.length > 0) {
    throw new CannotRun(missing.join('. '));
  }
}

/** The keys of the workspace API go into Authorization. */
function refuseAuthorization({ WORKSPACE_API_URL, EXTRA_HEADERS = {} }: Settings): void {
  if (WORKSPACE_API_URL !== undefined && Object.keys(EXTRA_HEADERS).some((name) => /^authorization$/i.test(name))) {
    throw new CannotRun(
      'Cannot use EXTRA_HEADERS: Authorization carries the keys of the workspace API; leave it out, or judge the developer API alone',
    );
  }
}

function refuseRepeatedKeys(settings: Settings): void {
  for (const [index, name] of keySettings.entries()) {
    const first = keySettings.slice(0, index).find((other) => settings[other] === settings[name]);
    const value = settings[name];
    if (value !== undefined && first !== undefined) {
      throw new CannotRun(
        `Cannot use ${name}: it is the same key as ${first} (${shorten(value)}); set a different one`,
      );
    }
  }
}
