import { join } from 'node:path';
import type { Api } from '../../contract/clause.ts';

const file = (name: string): string => join(import.meta.dirname, name);

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
    'no key besides the first': { WORKSPACE_SECOND_API_KEY: '', WORKSPACE_LIMITED_API_KEY: '', WORKSPACE_REVOKED_API_KEY: '' },
    'few requests': { MAX_REQUESTS: '90' },
    'bodies of its own': { BODIES: file('bodies-taken.json') },
    'bodies of its own, which are refused': { BODIES: file('bodies-refused.json') },
  },
};
