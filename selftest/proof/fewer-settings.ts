import type { Verdict } from '../../results/verdict.ts';
import type { Plan } from '../world/world.ts';

/**
 * A run with unusual settings, bodies or network, and its expected results. Nothing may fail that is not named here.
 */
export interface UnusualRun extends Plan {
  /** The least number of judged clauses. */
  readonly judges: number;
  /** Verdicts other than `pass` and `observed`, by clause without the API's name. */
  readonly verdicts?: Readonly<Record<string, Verdict>>;
  /** Names of settings that a skipped clause must mention as missing. */
  readonly wants?: RegExp;
}

const withFewer = (api: Plan['api'], judges: number, settings: Record<string, string>): UnusualRun => ({
  api,
  judges,
  settings,
  wants: new RegExp(Object.keys(settings).join('|')),
});
export const developer = (judges: number, settings: Record<string, string>) => withFewer('developer', judges, settings);
const workspace = (judges: number, settings: Record<string, string>) => withFewer('workspace', judges, settings);

/** Runs with fewer settings: less is tried, and the results say what is left out. */
export const fewerSettings: Readonly<Record<string, UnusualRun>> = {
  'developer: nothing is written': developer(42, { WRITES: 'none' }),
  'developer: only the sandbox is written to': developer(92, { WRITES: 'sandbox' }),
  'developer: nothing is written, and a sandbox that was never seeded has no state': {
    ...developer(0, { WRITES: 'none' }),
    clauses: ['developer.sandbox.state'],
    faults: ['sandbox-state-gets-404'],
    verdicts: { 'sandbox.state': 'skip' },
  },
  'developer: no budget is used up': developer(88, { EXHAUST: 'none' }),
  'developer: only own budgets are used up': developer(93, { EXHAUST: 'own' }),
  'developer: nothing is written and no budget is used up': developer(42, { WRITES: 'none', EXHAUST: 'none' }),
  'developer: no live key': developer(91, { LIVE_API_KEY: '' }),
  'developer: no sandbox key': developer(87, { SANDBOX_API_KEY: '' }),
  'developer: no sandbox key, and only the sandbox may be written to': developer(48, {
    SANDBOX_API_KEY: '',
    WRITES: 'sandbox',
  }),
  'workspace: nothing is written': workspace(35, { WRITES: 'none' }),
  'workspace: nothing is written, and paths take what is not called an id': {
    ...workspace(35, { WRITES: 'none' }),
    choices: { 'workspace-record-style': 'resource' },
  },
  'workspace: only the sandbox is written to': workspace(35, { WRITES: 'sandbox' }),
  'workspace: no budget is used up': workspace(48, { EXHAUST: 'none' }),
  'workspace: only own budgets are used up': workspace(48, { EXHAUST: 'own' }),
  'workspace: no second key': workspace(54, { WORKSPACE_SECOND_API_KEY: '' }),
  'workspace: no limited key': workspace(54, { WORKSPACE_LIMITED_API_KEY: '' }),
  'workspace: no revoked key': workspace(54, { WORKSPACE_REVOKED_API_KEY: '' }),
  'workspace: a limited key of nobody': workspace(54, {
    WORKSPACE_LIMITED_API_KEY: 'wsk_of_another_workspace_0123456789abcdefghij',
  }),
  'workspace: no key besides the first': workspace(52, {
    WORKSPACE_SECOND_API_KEY: '',
    WORKSPACE_LIMITED_API_KEY: '',
    WORKSPACE_REVOKED_API_KEY: '',
  }),
  'workspace: few requests': workspace(27, { MAX_REQUESTS: '40' }),
  'workspace: fewer requests than are needed': workspace(46, { MAX_REQUESTS: '90' }),
  'workspace: fewer requests than are needed, and a key that may do nothing': {
    ...workspace(40, { MAX_REQUESTS: '90' }),
    choices: { 'workspace-permissions': 'nothing' },
  },
  'developer: no more than 150 requests, and each read breaks once': {
    ...developer(55, { MAX_REQUESTS: '150' }),
    choices: { 'developer-accidents': 'a-503-each' },
    verdicts: { 'errors.no-server-error': 'inconclusive' },
  },
  'developer: no more than 150 requests, and pages of five keys': {
    ...developer(60, { MAX_REQUESTS: '150' }),
    choices: { 'developer-key-list': 'small-pages' },
  },
};
