import { minuteRemaining } from '../../../limits/judge/headers.ts';
import type { Verdict } from '../../../limits/judge/judge.ts';
import { refusedAgain } from '../../../limits/judge/spaced.ts';
import { isAdmitted, type Sample } from '../../../limits/judge/trace.ts';
import type { Exchange } from '../../../results/exchange.ts';
import { isGatewayError } from '../../session/evidence/accidents.ts';
import type { ApiKey } from '../../session/key.ts';
import type { Session } from '../../session/session.ts';

// What else than the limit may have refused a driven key: a lockout, or a gateway.

/**
 * Whether calls with a bad key may have locked out the driven key meanwhile: the drive's own calls with an unknown key,
 * or others of the run. Then it is driven again without its own.
 */
export function looksLockedOut(
  { evidence }: Session,
  samples: readonly Sample[],
  { perMinute, exceeded, remaining, evidence: counted }: Verdict,
  limit: number,
): boolean {
  const isRefused = (sample: Sample): boolean => !['before', 'intruder'].includes(sample.phase) && !isAdmitted(sample);
  if (!samples.some(isRefused)) {
    return false;
  }
  const bad = badCallsDuring(evidence, samples);
  // A lockout with 429 that begins or ends among the calls looks like no limiter.
  const isStrange = counted.refused > 0 && !counted.isExplained;
  // A lockout hardly begins with the very call that exceeds the limit.
  if (perMinute.verdict === 'holds') {
    return bad.length > 0 && isStrange;
  }
  // A limiter by address counts these calls too, and admits as many fewer of the key's: that is no lockout.
  const isEarly = perMinute.verdict === 'fewer' && (perMinute.enforced ?? 0) < limit - bad.length;
  // A lockout with 429 that ends within the minute looks like a shorter window.
  const isShort = perMinute.verdict === 'more' && counted.afterRefusal > limit;
  // The headers of a lockout's 429 need not show the budget.
  const isMisread = remaining.verdict === 'fails' && remaining.sample?.status === 429;
  const isSuspect = isEarly || isShort || isStrange || isMisread || exceeded.verdict === 'fails';
  return bad.length > 0 && (isSuspect || isSudden(samples, exceeded.firstRefused, limit));
}

/**
 * Whether a refusal came while Remaining of the minute, as the call of its kind before it shows, was over half of the
 * limit.
 */
function isSudden(samples: readonly Sample[], refused: Sample | null, limit: number): boolean {
  const isBefore = ({ key, route, receivedAt }: Sample): boolean =>
    refused !== null && key === refused.key && route === refused.route && receivedAt <= refused.sentAt;
  const before = samples.findLast((sample) => isBefore(sample) && sample.status !== 429);
  return before !== undefined && (minuteRemaining(before, limit) ?? 0) > limit / 2;
}

/** The calls with a bad key that were refused like such calls, or limited, while a key was driven. */
function badCallsDuring({ exchanges }: Session['evidence'], samples: readonly Sample[]): Exchange[] {
  const driven = samples.filter(({ phase }) => phase !== 'before');
  const [from = Infinity, to = -Infinity] = [driven[0]?.sentAt, driven.at(-1)?.receivedAt];
  return exchanges.filter(
    ({ keyValid, response, sentAt, receivedAt }) =>
      !keyValid && [401, 429].includes(response?.status ?? 0) && sentAt <= to && receivedAt >= from,
  );
}

/** Whether callers with other keys, or none, met a gateway error while the driven key did: that was no limit. */
export function wasAway({ evidence }: Session, samples: readonly Sample[], { label }: ApiKey): boolean {
  const lost = samples.filter(
    ({ phase, key, status }) => phase !== 'before' && key === label && isGatewayError(status),
  );
  const first = lost[0]?.sentAt ?? Infinity;
  const last = lost.at(-1)?.receivedAt ?? -Infinity;
  return evidence.exchanges.some(
    ({ keyLabel, response, sentAt, receivedAt }) =>
      keyLabel !== label && isGatewayError(response?.status ?? 0) && receivedAt >= first && sentAt <= last,
  );
}

/**
 * Whether the driven key was admitted after its first refusal and soon refused again, after fewer calls than the limit
 * and with no bad key in between. A lockout does not do that.
 */
export function isRefusedAnew(
  { evidence }: Session,
  samples: readonly Sample[],
  limit: number,
  windowMs: number,
): boolean {
  const anew = refusedAgain(samples, limit);
  if (anew === undefined) {
    return false;
  }
  // A limiter that counts in segments counts a call for longer than a minute.
  const since = anew.again.sentAt - 1.5 * windowMs;
  const counted = samples.filter(
    ({ phase, status, sentAt }) => phase !== 'intruder' && status !== 429 && sentAt > since,
  );
  return (
    counted.length < limit &&
    evidence.exchanges.every(
      ({ keyValid, sentAt, receivedAt }) => keyValid || receivedAt < anew.back.sentAt || sentAt > anew.again.receivedAt,
    )
  );
}
