import { readingBefore } from '../../../limits/judge/since-opener.ts';
import { isAdmitted, type Sample } from '../../../limits/judge/trace.ts';
import type { Exchange } from '../../../results/exchange.ts';
import type { Call } from '../../session/call.ts';
import type { ApiKey } from '../../session/key.ts';
import type { Session } from '../../session/session.ts';
import { earlierSampleOf, inOrder } from './limit-samples.ts';

/** The budget of a driven key, and who may use it up. */
export interface Budget {
  readonly key: ApiKey;
  /** Requests a minute. */
  readonly limit: number;
  /** The call that uses the limit up. */
  readonly call: Call;
  /** Whether nobody but this run can use up the budget. */
  readonly isOwnBudget: boolean;
  /** Labels of the keys whose earlier calls may have drawn on the budget, its own included. */
  readonly sharers: readonly string[];
  /** Whether it was found out that all of these keys draw on it, so that their headers show it. */
  readonly isShared?: boolean;
}

const ofUnknownBudget = { status: 0, limit: null, remaining: null, reset: null } as const;

/**
 * The calls since then that may have drawn on the budget or, where there are none, whether it is idle. Calls with
 * another key that may share it, unless that is known, or with one that should have been refused and was not, count as
 * unanswered, and their headers say nothing: whether they draw on it is open.
 */
export function usedSince(
  { evidence }: Session,
  { key, limit, call, sharers, isShared = false, isOwnBudget }: Budget,
  since: number,
): { readonly idle: boolean } | { readonly before: readonly Sample[] } {
  const mayCount = ({ keyValid, keyLabel, response }: Exchange): boolean =>
    keyValid ? keyLabel !== null && sharers.includes(keyLabel) : response !== null && response.status < 400;
  const recent = inOrder(evidence).filter((exchange) => exchange.sentAt >= since && mayCount(exchange));
  // If refused calls count, Remaining fell by those of the other keys, too.
  const isReadable = isShared && recent.every(({ response }) => response?.status !== 429);
  const toSample = (exchange: Exchange): Sample => {
    const isPlain = exchange.endpoint === call.endpoint?.id;
    const sample = earlierSampleOf(exchange, isPlain ? undefined : (exchange.endpoint ?? 'an undocumented call'));
    const isOfBudget = sample.key === key.label || (isReadable && isAdmitted(sample) && sharers.includes(sample.key));
    return { ...sample, ...(isOfBudget ? {} : ofUnknownBudget), key: key.label };
  };
  // A limiter may count refused calls. Where its refusal then looks too early, the key is driven once more.
  const samples = inOrder(evidence)
    .filter((exchange) => mayCount(exchange) && exchange.response?.status !== 429)
    .map(toSample);
  const begin = samples.findIndex(({ sentAt }) => sentAt >= since);
  const before =
    begin < 0 ? [] : [...readingBefore(samples.slice(0, begin), key.label, limit), ...samples.slice(begin)];
  return before.length === 0 ? { idle: isOwnBudget } : { before };
}
