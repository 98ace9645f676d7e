import { withArticle } from '../../../common/words.ts';
import type { Limits } from '../../../contract/limits.ts';
import { judgeLimitValue } from '../../../limits/judge/header-values.ts';
import type { Exchange } from '../../../results/exchange.ts';
import { createTally } from '../../../results/outcome.ts';
import { Inconclusive } from '../../../results/stop.ts';
import type { Check } from '../../engine/check.ts';
import { findingOn } from '../../engine/expect.ts';
import type { ApiKey } from '../../session/key.ts';
import type { Session } from '../../session/session.ts';
import type { Drive } from './drive.ts';
import { exchangeSample, keyedResponses } from './limit-samples.ts';
import type { Drives } from './limits.ts';

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
