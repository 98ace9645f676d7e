import { randomBytes } from 'node:crypto';
import type { KeyMaker } from '../../cli/load/keys.ts';
import type { Api } from '../../contract/clause.ts';
import { keyLimits, type Limits, planLimits } from '../../contract/limits.ts';
import { keyPrefix } from '../../contract/scopes.ts';
import type { Settings } from '../../settings/settings.ts';
import { targetsOf } from '../../settings/target.ts';
import type { Subject } from '../seam/plan.ts';
import { type Arguments, type KeyName, keyNames } from './arguments.ts';

/** The keys of a run: those whose limits are tried, with their secrets apart, and those that are not, with the reason. */
export interface Cast {
  readonly subjects: readonly Subject[];
  /** Secrets by the environment variable in which k6 gets them. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly skipped: readonly { readonly api: Api; readonly label: string; readonly why: string }[];
}

type Given = { name: KeyName; api: Api; setting: keyof Settings & `${string}_API_KEY`; limits: Limits; url: string };

/** The cheapest documented read of each API. */
const readPath: Readonly<Record<Api, string>> = { developer: '/api/v1/platform/me', workspace: '/v1/agents' };

function given(settings: Settings): Given[] {
  const { BASE_URL: developer, WORKSPACE_API_URL: workspace } = settings;
  const rows: Given[] = [];
  if (developer !== undefined) {
    const url = developer + readPath.developer;
    rows.push(
      { name: 'sandbox', api: 'developer', setting: 'SANDBOX_API_KEY', limits: keyLimits.sandbox, url },
      { name: 'live', api: 'developer', setting: 'LIVE_API_KEY', limits: keyLimits.live, url },
      {
        name: 'enterprise',
        api: 'developer',
        setting: 'ENTERPRISE_API_KEY',
        url,
        limits: { perMinute: settings.ENTERPRISE_PER_MINUTE, perDay: null },
      },
    );
  }
  if (workspace !== undefined) {
    rows.push({
      name: 'workspace',
      api: 'workspace',
      setting: 'WORKSPACE_API_KEY',
      limits: planLimits[settings.WORKSPACE_PLAN],
      url: workspace + readPath.workspace,
    });
  }
  return rows.filter(({ setting }) => settings[setting] !== undefined);
}

const unknownKey = (api: Api, name: KeyName): string => {
  const text = randomBytes(24).toString('base64url').replaceAll(/[-_]/g, 'x');
  return api === 'workspace' ? text : `${keyPrefix[name === 'sandbox' ? 'sandbox' : 'live']}${text}`;
};

const subjectOf = (row: Given, label: string, keyEnv: string, idle: boolean): Subject => ({
  label,
  keyEnv,
  idle,
  api: row.api,
  url: row.url,
  limit: row.limits.perMinute,
  perDay: row.limits.perDay,
  unknownKey: unknownKey(row.api, row.name),
});

type Draft = { subjects: Subject[]; secrets: Record<string, string>; skipped: Cast['skipped'][number][] };

const useGiven = (draft: Draft, row: Given, settings: Settings, alone: boolean): void => {
  draft.subjects.push(subjectOf(row, row.setting, row.setting, alone));
  draft.secrets[row.setting] = String(settings[row.setting]);
};

/** With EXHAUST=own: a key that the run makes stands for the given one, where one can be made. */
async function useOwn(draft: Draft, row: Given, maker: KeyMaker, purpose: string): Promise<void> {
  if (row.name === 'enterprise' || row.name === 'workspace') {
    draft.skipped.push({
      api: row.api,
      label: row.setting,
      why: `EXHAUST is own: using up the budget of ${row.setting} needs EXHAUST=all`,
    });
    return;
  }
  const made = await maker.make(row.name, purpose);
  if ('why' in made) {
    draft.skipped.push({
      api: row.api,
      label: row.setting,
      why: `EXHAUST is own, and no ${row.name} key could be made (${made.why}): using up the budget of ${row.setting} needs EXHAUST=all`,
    });
    return;
  }
  const keyEnv = `LOAD_KEY_${draft.subjects.length}`;
  draft.subjects.push(subjectOf(row, made.label, keyEnv, true));
  draft.secrets[keyEnv] = made.secret;
}

/** Two keys of one budget for `shared`: the workspace's two, and two of our own of the developer API. */
async function castPairs(rows: readonly Given[], settings: Settings, maker: KeyMaker, alone: boolean): Promise<Cast> {
  const draft: Draft = { subjects: [], secrets: {}, skipped: [] };
  for (const row of rows.filter(({ name }) => name === 'sandbox' || name === 'workspace')) {
    if (row.api === 'developer') {
      await pairOfOwn(draft, row, settings, maker);
    } else {
      pairOfGiven(draft, row, settings, alone);
    }
  }
  return draft;
}

async function pairOfOwn(draft: Draft, row: Given, settings: Settings, maker: KeyMaker): Promise<void> {
  if (settings.EXHAUST === 'none') {
    return void draft.skipped.push(notExhausted(row));
  }
  const before = draft.subjects.length;
  for (const purpose of ['first', 'second']) {
    await useOwn(draft, row, maker, purpose);
  }
  if (draft.subjects.length - before === 1) {
    draft.subjects.pop();
  }
}

function pairOfGiven(draft: Draft, row: Given, settings: Settings, alone: boolean): void {
  const second = 'WORKSPACE_SECOND_API_KEY';
  if (settings.EXHAUST !== 'all') {
    return void draft.skipped.push({
      api: row.api,
      label: row.setting,
      why: `EXHAUST is ${settings.EXHAUST}: using up the budget of the workspace needs EXHAUST=all`,
    });
  }
  if (settings[second] === undefined) {
    return void draft.skipped.push({
      api: row.api,
      label: second,
      why: `${second} is not set: a second key of the same workspace is needed`,
    });
  }
  useGiven(draft, row, settings, alone);
  draft.subjects.push(subjectOf(row, second, second, alone));
  draft.secrets[second] = settings[second];
}

const notExhausted = (row: Given): Cast['skipped'][number] => ({
  api: row.api,
  label: row.setting,
  why: `EXHAUST is none: using up the budget of ${row.setting} needs EXHAUST=all, that of a key of the run's own EXHAUST=own`,
});

const settingOf: Readonly<Record<KeyName, { setting: Given['setting']; api: Api }>> = {
  sandbox: { setting: 'SANDBOX_API_KEY', api: 'developer' },
  live: { setting: 'LIVE_API_KEY', api: 'developer' },
  enterprise: { setting: 'ENTERPRISE_API_KEY', api: 'developer' },
  workspace: { setting: 'WORKSPACE_API_KEY', api: 'workspace' },
};

/** Keys that are asked for and not given: those named with --key, and all of an API that is targeted without any. */
function missing(settings: Settings, keys: readonly KeyName[], rows: readonly Given[]): Cast['skipped'] {
  const named = keys.length < keyNames.length;
  const bare = targetsOf(settings)
    .filter(({ api }) => !rows.some((row) => row.api === api))
    .map(({ api }) => api);
  return keys
    .filter(
      (name) =>
        !rows.some((row) => row.name === name) &&
        (named || (bare.includes(settingOf[name].api) && name !== 'enterprise')),
    )
    .map((name) => {
      const { api, setting } = settingOf[name];
      const url = api === 'developer' ? 'BASE_URL' : 'WORKSPACE_API_URL';
      return { api, label: setting, why: settings[url] === undefined ? `${url} is not set` : `${setting} is not set` };
    });
}

/** Chooses the keys by EXHAUST and --key; makes keys where that is needed. */
export async function castOf(settings: Settings, { script, keys, alone }: Arguments, maker: KeyMaker): Promise<Cast> {
  const rows = given(settings).filter(({ name }) => keys.includes(name));
  const lacking = missing(settings, keys, rows);
  if (script === 'shared') {
    const pairs = await castPairs(rows, settings, maker, alone);
    return { ...pairs, skipped: [...lacking.filter(({ label }) => label !== 'LIVE_API_KEY'), ...pairs.skipped] };
  }
  const draft: Draft = { subjects: [], secrets: {}, skipped: [...lacking] };
  for (const row of rows) {
    if (script === 'soak' || settings.EXHAUST === 'all') {
      useGiven(draft, row, settings, alone);
    } else if (settings.EXHAUST === 'none') {
      draft.skipped.push(notExhausted(row));
    } else {
      await useOwn(draft, row, maker, '');
    }
  }
  return draft;
}
