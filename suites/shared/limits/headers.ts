import { withArticle } from '../../../common/words.ts';
import { type Limits, limitHeaders } from '../../../contract/limits.ts';
import { headerTroubles, judgeLimitValue } from '../../../limits/judge/headers.ts';
import type { HeadersVerdict } from '../../../limits/judge/reset.ts';
import { notMet } from '../../../results/drift.ts';
import type { Exchange } from '../../../results/exchange.ts';
import { createTally } from '../../../results/outcome.ts';
import { Inconclusive } from '../../../results/stop.ts';
import type { Check } from '../../engine/check.ts';
import { findingOn } from '../../engine/expect.ts';
import { judgeAll } from '../../engine/judge-responses.ts';
import type { Answered } from '../../session/evidence/evidence.ts';
import type { ApiKey } from '../../session/key.ts';
import type { Session } from '../../session/session.ts';
import type { Drive } from './drive.ts';
import { exchangeSample, keyedResponses } from './limit-samples.ts';
import type { Drives } from './limits.ts';

/** A check: every response carries the three headers, and with a valid key each has a value. */
export const judgeLimitHeaders: Check = async ({ evidence }) => {
  const keyed = new Set(keyedResponses(evidence));
  const troublesOf = (exchange: Answered): string => {
    const troubles = headerTroubles(exchangeSample(exchange, 'run'));
    return (keyed.has(exchange) ? troubles : troubles.filter((trouble) => trouble.endsWith(' absent'))).join(', ');
  };
  const rule = { expected: limitHeaders.join(', '), place: 'headers' };
  return judgeAll(evidence.responses, {
    ...rule,
    trouble: (exchange) => troublesOf(exchange) || null,
    describe: (exchange) => ({ ...rule, summary: troublesOf(exchange), actual: troublesOf(exchange) }),
  });
};

/** The documented limits of a key, and whose they are (`sandbox key`); null: the documents do not say. */
type LimitsOf = (key: ApiKey, session: Session) => { readonly subject: string; readonly limits: Limits } | null;

/** A check: on every response to a valid key X-RateLimit-Limit shows a documented number of the key's type. */
export const judgeLimitValues =
  (drives: Drives, limitsOf: LimitsOf): Check =>
  async (session) => {
    await session.until('quiet');
    const driven = await Promise.allSettled(drives(session).map((drive) => drive()));
    const driveNumbers = driven.flatMap((one) => (one.status === 'fulfilled' ? numbersOf(one.value) : []));
    const groups = bySubject(session, limitsOf, new Set(driveNumbers));
    if (groups.size === 0) {
      const message = 'No call of this run was accepted with its key';
      throw new Inconclusive({ message, blames: session.api.keyClause });
    }
    const tally = createTally();
    for (const [subject, { limits, exchanges }] of groups) {
      const samples = new Map(exchanges.map((exchange) => [exchangeSample(exchange, 'run'), exchange]));
      const { verdict, says, sample } = judgeLimitValue([...samples.keys()], limits.perDay === null ? null : limits);
      const message = `Limit of ${withArticle(subject)}: ${says}`;
      const odd = sample === null ? undefined : samples.get(sample);
      if (verdict === 'undecided') {
        tally.leaveOpen({ message, blames: `${session.api.name}.limits.headers` });
      } else {
        tally.judge(odd === undefined ? null : findingOn({ exchange: odd }, { message, actual: says }));
      }
    }
    return tally.outcome();
  };

const numbersOf = ({ samples, answerTo }: Drive): number[] =>
  samples.flatMap((sample) => answerTo(sample)?.exchange.number ?? []);

/** The calls of the run by whose limit they draw on. A 429 outside a drive may come from another limit. */
function bySubject(
  session: Session,
  limitsOf: LimitsOf,
  driveNumbers: ReadonlySet<number>,
): ReadonlyMap<string, { readonly limits: Limits; readonly exchanges: Exchange[] }> {
  const groups = new Map<string, { readonly limits: Limits; readonly exchanges: Exchange[] }>();
  const ofKnownLimit = keyedResponses(session.evidence).filter(
    ({ response, number }) => response?.status !== 429 || driveNumbers.has(number),
  );
  for (const exchange of ofKnownLimit) {
    const key = session.client.keyByLabel(exchange.keyLabel ?? '');
    const known = key === undefined ? null : limitsOf(key, session);
    if (known !== null) {
      const group = groups.get(known.subject) ?? { limits: known.limits, exchanges: [] };
      group.exchanges.push(exchange);
      groups.set(known.subject, group);
    }
  }
  return groups;
}

/**
 * What the clause on the headers' format observes: their units, and the forms of their values. The values themselves
 * differ from run to run, and are noted as measured. `wasRefused`: whether a 429 came, which may carry Retry-After.
 */
export function headerFormats(seen: HeadersVerdict, wasRefused: boolean): Record<string, unknown> {
  const { limit, remaining, reset, retryAfter } = seen;
  return {
    ...seen,
    remaining: formOf(remaining),
    reset: formOf(reset),
    retryAfter: wasRefused ? formOf(retryAfter) : notMet,
    measured: { limit, remaining, reset, retryAfter },
  };
}

/** The form of a value, without the digits, and the names of days and months, that differ from run to run. */
const formOf = (text: string | null): string | null =>
  text?.replace(/\b[A-Z][a-z]{2}\b/g, '<name>').replace(/(\d+)(\.\d+)?/g, (_, digits: string, fraction?: string) => {
    const whole = digits.length > 5 ? '<many digits>' : '<some digits>';
    return fraction === undefined ? whole : `${whole}.<digits>`;
  }) ?? null;
