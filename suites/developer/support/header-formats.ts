import { limitHeaders, minuteMs } from '../../../contract/limits.ts';
import { describeHeaders } from '../../../limits/judge/describe.ts';
import { callsOf } from '../../../limits/judge/trace.ts';
import { notMet } from '../../../results/drift.ts';
import { headerOf } from '../../../results/exchange.ts';
import { Inconclusive } from '../../../results/stop.ts';
import type { Answered } from '../../session/evidence/evidence.ts';
import type { Session } from '../../session/session.ts';
import { sampleOf } from '../../shared/limits/limit-samples.ts';

/** Units and formats of the three headers, from all calls of the run with the key that made most of them. */
export function headerFormats({ evidence, settings }: Pick<Session, 'evidence' | 'settings'>): unknown {
  const samples = evidence.responses.filter(hasAllHeaders).map((exchange) => sampleOf(exchange, 'run'));
  const byKey = [...Map.groupBy(samples, ({ key }) => key).values()].sort((a, b) => b.length - a.length);
  const [mostUsed = []] = byKey;
  const [example] = mostUsed;
  if (example === undefined) {
    throw new Inconclusive({ message: 'No response of this run carries all three headers' });
  }
  const seen = describeHeaders(callsOf(mostUsed, example.key), minuteMs / settings.CLOCK_SPEED);
  return {
    ...seen,
    remaining: formOf(seen.remaining),
    reset: formOf(seen.reset),
    retryAfter: mostUsed.some(({ status }) => status === 429) ? formOf(seen.retryAfter) : notMet,
    measured: {
      limit: example.limit,
      remaining: example.remaining,
      reset: example.reset,
      retryAfter: seen.retryAfter,
    },
  };
}

const hasAllHeaders = ({ keyValid, response }: Answered): boolean =>
  keyValid && limitHeaders.every((name) => headerOf(response.headers, name) !== null);

/** What stays alike from run to run: a form, not the moment itself. */
const formOf = (text: string | null): string | null =>
  text?.replace(/\d+/g, (digits) => (digits.length > 5 ? '<many digits>' : '<some digits>')) ?? null;
