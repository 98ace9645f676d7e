import type { Api } from '../../contract/clause.ts';

/** What a user may withhold from a run, by what the run is called: less is tried then, and nothing fails. */
export const lesserSettings: Readonly<Record<Api, Readonly<Record<string, Readonly<Record<string, string>>>>>> = {
  developer: {
    'nothing is written': { WRITES: 'none' },
    'only the sandbox is written to': { WRITES: 'sandbox' },
    'no budget is used up': { EXHAUST: 'none' },
    'only own budgets are used up': { EXHAUST: 'own' },
    'nothing is written and no budget is used up': { WRITES: 'none', EXHAUST: 'none' },
    'no live key': { LIVE_API_KEY: '' },
    'no sandbox key': { SANDBOX_API_KEY: '' },
    'no sandbox key, and only the sandbox may be written to': { SANDBOX_API_KEY: '', WRITES: 'sandbox' },
  },
  workspace: {
    'nothing is written': { WRITES: 'none' },
    'only the sandbox is written to': { WRITES: 'sandbox' },
    'no budget is used up': { EXHAUST: 'none' },
    'only own budgets are used up': { EXHAUST: 'own' },
    'no second key': { WORKSPACE_SECOND_API_KEY: '' },
    'no limited key': { WORKSPACE_LIMITED_API_KEY: '' },
    'no revoked key': { WORKSPACE_REVOKED_API_KEY: '' },
    'a limited key of nobody': { WORKSPACE_LIMITED_API_KEY: 'wsk_of_another_workspace_0123456789abcdefghij' },
    'few requests': { MAX_REQUESTS: '40' },
    'no key besides the first': {
      WORKSPACE_SECOND_API_KEY: '',
      WORKSPACE_LIMITED_API_KEY: '',
      WORKSPACE_REVOKED_API_KEY: '',
    },
    'fewer requests than are needed': { MAX_REQUESTS: '90' },
  },
};
