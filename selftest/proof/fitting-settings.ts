import type { Api } from '../../contract/clause.ts';

/** A deployment of another kind than the plain one, and the settings with which a user points a run at it. */
export interface Fitting {
  readonly settings: Readonly<Record<string, string>>;
  readonly choices?: Readonly<Record<string, string>>;
  /** With the enterprise key. */
  readonly enterprise?: boolean;
}

/** By what a run is called: nothing fails, nothing is left behind. */
export const fittingSettings: Readonly<Record<Api, Readonly<Record<string, Fitting>>>> = {
  developer: {
    'no sandbox key, and a live key makes live keys only': {
      settings: { SANDBOX_API_KEY: '' },
      choices: { 'developer-live-keys-by-sandbox-key': 'own-environment' },
    },
    'no live key, and one budget for all keys of the account': {
      settings: { LIVE_API_KEY: '' },
      choices: { 'developer-budget': 'account' },
    },
    'an enterprise key with 1,200 requests a minute': { settings: { ENTERPRISE_PER_MINUTE: '1200' }, enterprise: true },
    'an enterprise key, whose budget may not be used up': { settings: { EXHAUST: 'own' }, enterprise: true },
    'windows that pass sixty times as fast': { settings: { CLOCK_SPEED: '60' } },
    'no more than 150 requests, and pages of five keys': {
      settings: { MAX_REQUESTS: '150' },
      choices: { 'developer-key-list': 'small-pages' },
    },
    'a deployment that chose otherwise where it could': {
      settings: {},
      choices: {
        'developer-access': 'either',
        'developer-undocumented-body': 'all-need-one',
        'developer-key-delay': 'second',
        'developer-rotation': 'new-record',
        'developer-usage-days': 'unprocessable',
        'developer-export-format': 'absent-when-empty',
        'developer-optional-fields': 'some',
        'developer-key-list': 'small-newest-first',
      },
    },
  },
  workspace: {},
};
