import { limitHeaders } from '../../../contract/limits.ts';
import { headerTroubles } from '../../../limits/judge/header-values.ts';
import type { Check } from '../../engine/check.ts';
import { judgeAll } from '../../engine/judge-responses.ts';
import type { Answered } from '../../session/evidence/evidence.ts';
import { exchangeSample, keyedResponses } from './limit-samples.ts';

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
