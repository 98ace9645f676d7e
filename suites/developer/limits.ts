import { keyLimits } from '../../contract/limits.ts';
import { observed } from '../../results/outcome.ts';
import { atMoment, type Checks } from '../engine/check.ts';
import { judgeLimitHeaders } from '../shared/limits/headers.ts';
import { limitChecks, skipPerDay } from '../shared/limits/limits.ts';
import { budgetSharing, countedRefusals, driveKey, haveOwnBudgets } from './budgets.ts';

const checks = limitChecks({
  // The live one needs WRITES=all, the enterprise one EXHAUST=all.
  drives: (session) => [driveKey(session, 'sandbox'), driveKey(session, 'live'), driveKey(session, 'enterprise')],
  limitsOf: ({ environment, madeFor }) =>
    environment === 'workspace' || madeFor !== undefined
      ? null
      : { subject: `${environment} key`, limits: keyLimits[environment] },
  haveOwnBudgets,
});

/** Limits. They are judged on keys that the run makes, with few requests; a day's limit takes the load scripts. */
export const limits: Checks = {
  'developer.limits.headers': judgeLimitHeaders,
  'developer.limits.exceeded': checks.exceeded,
  'developer.limits.per-minute': checks.perMinute,
  'developer.limits.per-day': skipPerDay(() => keyLimits),
  'developer.limits.recovery': checks.recovery,
  'developer.limits.remaining': checks.remaining,
  'developer.limits.limit-value': checks.limitValue,
  'developer.limits.window': checks.window,
  'developer.limits.header-format': checks.headerFormat,

  'developer.limits.counted': atMoment('quiet', async (session) => observed(await countedRefusals(session))),

  'developer.limits.key-or-account': atMoment('quiet', async (session) => {
    const { budget, says } = await budgetSharing(session);
    return observed({ budget, measured: { says } });
  }),
};
