import { existsSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { parse } from 'dotenv';
import { CannotRun } from '../common/cannot-run.ts';
import { shorten } from '../common/redact.ts';
import type { Plan } from '../contract/limits.ts';
import { type Setting, settings as table } from '../contract/settings.ts';

/** The settings of the interface, parsed once. Absent: not set, and there is no default. */
export interface Settings {
  readonly BASE_URL?: string;
  readonly SANDBOX_API_KEY?: string;
  readonly LIVE_API_KEY?: string;
  readonly ENTERPRISE_API_KEY?: string;
  readonly ENTERPRISE_PER_MINUTE: number;
  readonly WORKSPACE_API_URL?: string;
  readonly WORKSPACE_API_KEY?: string;
  readonly WORKSPACE_SECOND_API_KEY?: string;
  readonly WORKSPACE_LIMITED_API_KEY?: string;
  readonly WORKSPACE_REVOKED_API_KEY?: string;
  readonly WORKSPACE_PLAN: Plan;
  readonly WEBHOOK_LISTEN: string;
  readonly WEBHOOK_PUBLIC_URL?: string;
  readonly WEBHOOK_SECRET?: string;
  readonly WRITES: 'none' | 'sandbox' | 'all';
  readonly EXHAUST: 'none' | 'own' | 'all';
  readonly CLOCK_SPEED: number;
  readonly KEY_SETTLE_MS: number;
  readonly EVENT_WAIT_MS: number;
  readonly STRICT: '0' | '1';
  readonly PROFILE?: string;
  readonly WAIVERS?: string;
  readonly MAX_REQUESTS?: number;
  readonly TIMEOUT_MS: number;
  readonly BODIES?: string;
  readonly SEED?: number;
  readonly REPORTS_DIR: string;
}

const patterns: Partial<Record<Setting['kind'], string>> = {
  origin: '^https?://[^/?#@\\s]+(/[^?#\\s]*)?$',
  url: '^https?://[^/?#\\s]+(/\\S*)?$',
  secret: '^[\\x21-\\x7e]+$',
  count: '^[0-9]{1,9}$',
  seed: '^[0-9]{1,15}$',
  factor: '^(?!0*(\\.0*)?$)[0-9]{1,6}(\\.[0-9]+)?$',
  listen: '^(\\[[0-9A-Fa-f:]+\\]|[^:\\s]+):[0-9]{1,5}$',
};

const mayBe: Record<Setting['kind'], string> = {
  origin: 'an absolute URL such as https://api.example.com',
  url: 'an absolute URL such as https://example.com/hook',
  secret: 'printable ASCII without blanks',
  choice: '',
  count: 'a whole number',
  file: 'the path of a file',
  folder: 'the path of a folder',
  listen: 'host:port, such as 127.0.0.1:0',
  factor: 'a number greater than 0',
  seed: 'a whole number',
};

function schemaOf(setting: Setting): object {
  if (setting.values) {
    return { type: 'string', enum: setting.values };
  }
  const pattern = setting.prefix ? `^${setting.prefix}[\\x21-\\x7e]+$` : patterns[setting.kind];
  return pattern ? { type: 'string', pattern } : { type: 'string', minLength: 1 };
}

const validate = new Ajv({ allErrors: false }).compile({
  type: 'object',
  properties: Object.fromEntries(table.map((setting) => [setting.name, schemaOf(setting)])),
});

/** Names the setting, what was given (secrets shortened), and what it may be. */
function complaint(setting: Setting, given: string): string {
  const shown = setting.kind === 'secret' ? shorten(given) : JSON.stringify(given.replace(/\/\/[^/@]*@/, '//…@'));
  const expected = setting.values
    ? setting.values.join(', ')
    : setting.prefix
      ? `a key that starts with ${setting.prefix}`
      : mayBe[setting.kind];
  return `Cannot use ${setting.name}: given ${shown}, may be ${expected}`;
}

const numeric = new Set<Setting['kind']>(['count', 'factor', 'seed']);

function parseValue(setting: Setting, text: string): string | number {
  if (numeric.has(setting.kind)) {
    return Number(text);
  }
  return setting.kind === 'origin' ? text.replace(/\/+$/, '') : text;
}

/**
 * The settings out of environment variables, validated; an empty variable counts as not set.
 * Throws CannotRun with one line that names the setting.
 */
export function parseSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const given = Object.fromEntries(table.flatMap(({ name }) => (env[name] ? [[name, env[name]]] : [])));
  if (!validate(given)) {
    const name = validate.errors?.[0]?.instancePath.slice(1) ?? '';
    const setting = table.find((row) => row.name === name);
    throw new CannotRun(setting ? complaint(setting, given[name] ?? '') : 'Cannot use the settings: unknown trouble');
  }
  const values = table.flatMap((setting) => {
    const text = given[setting.name] ?? setting.default;
    return text === null ? [] : [[setting.name, parseValue(setting, text)]];
  });
  const settings = Object.fromEntries(values) as Settings;
  refuseContradictions(settings);
  return settings;
}

function refuseContradictions(settings: Settings): void {
  for (const [name, prefix] of [
    ['BASE_URL', '/api/v1'],
    ['WORKSPACE_API_URL', '/v1'],
  ] as const) {
    const url = settings[name];
    if (url !== undefined && !URL.canParse(url)) {
      throw new CannotRun(`Cannot use ${name}: given ${JSON.stringify(url)}, may be ${mayBe.origin}`);
    }
    // Everybody's slip: the paths of the document begin with it already.
    if (url?.endsWith(prefix)) {
      throw new CannotRun(
        `Cannot use ${name}: given ${JSON.stringify(url)}, may be the same without ${prefix}, with which every documented path begins`,
      );
    }
  }
  if (settings.BASE_URL !== undefined && !settings.SANDBOX_API_KEY && !settings.LIVE_API_KEY) {
    throw new CannotRun(
      'Cannot check BASE_URL without a key: set SANDBOX_API_KEY to a svc_test_ key (or LIVE_API_KEY to a svc_live_ key) with all twelve scopes',
    );
  }
  if (settings.WORKSPACE_API_URL !== undefined && !settings.WORKSPACE_API_KEY) {
    throw new CannotRun(
      'Cannot check WORKSPACE_API_URL without a key: set WORKSPACE_API_KEY to a workspace key with full permission',
    );
  }
  for (const name of ['TIMEOUT_MS', 'MAX_REQUESTS', 'ENTERPRISE_PER_MINUTE'] as const) {
    if (settings[name] === 0) {
      throw new CannotRun(`Cannot use ${name}: given "0", may be a whole number greater than 0`);
    }
  }
}

/** The process environment over the `.env` file of the folder, where there is one. Throws CannotRun. */
export function readSettings(env: NodeJS.ProcessEnv = process.env, file = '.env'): Settings {
  const fromFile = existsSync(file) ? parse(readFileSync(file, 'utf8')) : {};
  return parseSettings({
    ...fromFile,
    ...Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined)),
  });
}

/** The settings as a report may show them: secrets shortened. */
export function shownSettings(settings: Settings): Record<string, string> {
  return Object.fromEntries(
    table.flatMap(({ name, kind }) => {
      const value = settings[name as keyof Settings];
      return value === undefined ? [] : [[name, kind === 'secret' ? shorten(String(value)) : String(value)]];
    }),
  );
}
