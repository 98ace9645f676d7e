import { minuteAt } from '../../../contract/limits.ts';
import { judgeRemaining as judgeRemainingOf } from '../../../limits/judge/remaining.ts';
import type { Exchange } from '../../../results/exchange.ts';
import { createTally, type Tally } from '../../../results/outcome.ts';
import type { Finding } from '../../../results/verdict.ts';
import type { Check } from '../../engine/check.ts';
import type { ApiKey } from '../../session/key.ts';
import { limitOf, mainKeys } from '../../session/keys.ts';
import type { Session } from '../../session/session.ts';
import type { Drive } from './drive.ts';
import { earlierSampleOf, keyedExchanges } from './limit-samples.ts';
import { blamesExceeded, type Drives, type Judgement, judgeDrives, tallyJudgement } from './limits.ts';

/** Whether each key has a budget of its own; null: unknown. */
type HaveOwnBudgets = (session: Session) => Promise<boolean | null>;

const expected = 'Remaining falls with each call, and is 0 with the first 429';

/**
 * A check: Remaining falls as calls are made, and is 0 when the first 429 comes. It judges the drives and, whatever may
 * be driven, the calls that the run made anyway with the given keys.
 */
export const judgeRemaining = (drives: Drives, haveOwnBudgets: HaveOwnBudgets): Check => {
  const judgeDriven = judgeDrives(drives, (tally, drive, session) => {
    const part = { isOneBudget: hasOneBudget(drive), ...blamesExceeded(drive, session) };
    tallyRemaining(tally, session, drive, drive.verdict.remaining, part);
  });
  return async (session) => {
    const judged = await judgeDriven(session);
    const driven = await Promise.allSettled(drives(session).map((drive) => drive()));
    const isOneBudget = driven.every((drive) => drive.status === 'rejected' || hasOneBudget(drive.value));
    await session.until('quiet');
    const isOwnBudget = (await haveOwnBudgets(session)) === true;
    const tally = createTally();
    tally.add(judged);
    for (const key of mainKeys(session)) {
      const { exchange, judgement } = remainingOf(session, key, isOwnBudget);
      if (exchange !== undefined) {
        const on = { subject: `${key.environment} key`, decisive: { exchange } };
        tallyRemaining(tally, session, on, judgement, { isOneBudget });
      }
    }
    return tally.outcome();
  };
};

/** Whether all calls draw on one budget: none was admitted while the key was refused. */
const hasOneBudget = ({ verdict }: Drive): boolean => verdict.probes.every(({ outcome }) => outcome !== 'admitted');

/** With several budgets Remaining may jump between them: that leaves it open, and the per-minute clause is to blame. */
function tallyRemaining(
  tally: Tally,
  { api }: Session,
  on: Pick<Drive, 'subject'> & { readonly decisive: { readonly exchange: Exchange } },
  judgement: Judgement,
  { isOneBudget, ...rest }: { readonly isOneBudget: boolean } & Partial<Finding>,
): void {
  if (isOneBudget) {
    const due = judgement.blames === undefined ? {} : { blames: `${api.name}.limits.${judgement.blames}` };
    tallyJudgement(tally, on, judgement, { expected, ...due, ...rest });
  } else {
    const verdict = judgement.verdict === 'fails' ? 'undecided' : judgement.verdict;
    tallyJudgement(tally, on, { ...judgement, verdict }, { expected, blames: `${api.name}.limits.per-minute` });
  }
}

/** What Remaining showed of a key in the calls that the run made anyway. `isOwnBudget`: no other key draws on its budget. */
function remainingOf(
  session: Session,
  key: ApiKey,
  isOwnBudget: boolean,
): { readonly exchange: Exchange | undefined; readonly judgement: Judgement } {
  const { evidence, settings } = session;
  const exchanges = keyedExchanges(evidence).filter(({ keyLabel }) => !isOwnBudget || keyLabel === key.label);
  const samples = new Map(exchanges.map((exchange) => [earlierSampleOf(exchange), exchange]));
  const windowMs = minuteAt(settings.CLOCK_SPEED);
  const judgement = judgeRemainingOf([...samples.keys()], { limit: limitOf(session, key), windowMs, key: key.label });
  const decisive = judgement.sample && samples.get(judgement.sample);
  return { exchange: decisive ?? exchanges.findLast(({ keyLabel }) => keyLabel === key.label), judgement };
}
