import { limitHeaders, minuteMs } from '../../contract/limits.ts';
import { describeHeaders } from '../../limits/judge/describe.ts';
import { callsOf, type Sample } from '../../limits/judge/trace.ts';
import { headerOf } from '../../results/exchange.ts';
import { Inconclusive } from '../../results/stop.ts';
import { answered } from '../session/evidence.ts';
import type { Session } from '../session/session.ts';

/** Units and formats of the three headers, from all calls of the run with one key, and the spellings seen. */
export function headerFormats(session: Session): unknown {
  const seen = answered(session.evidence).filter(
    ({ keyValid, response }) => keyValid && limitHeaders.every((name) => headerOf(response.headers, name) !== null),
  );
  const label = mostUsed(seen.map(({ keyLabel }) => keyLabel ?? ''));
  if (label === undefined) {
    throw new Inconclusive({ message: 'No response of this run carries all three headers' });
  }
  const samples = seen
    .filter(({ keyLabel }) => keyLabel === label)
    .map(
      ({ response: { headers, status }, sentAt, receivedAt }): Sample => ({
        sentAt,
        receivedAt,
        status,
        key: label,
        phase: 'run',
        retryAfter: headerOf(headers, 'Retry-After'),
        date: headerOf(headers, 'Date'),
        limit: headerOf(headers, limitHeaders[0]),
        remaining: headerOf(headers, limitHeaders[1]),
        reset: headerOf(headers, limitHeaders[2]),
      }),
    );
  const [example] = samples as [Sample, ...Sample[]];
  const seenSo = describeHeaders(callsOf(samples, label), minuteMs / session.settings.CLOCK_SPEED);
  return {
    ...seenSo,
    remaining: formOf(seenSo.remaining),
    reset: formOf(seenSo.reset),
    retryAfter: formOf(seenSo.retryAfter),
    measured: {
      limit: example.limit,
      remaining: example.remaining,
      reset: example.reset,
      retryAfter: seenSo.retryAfter,
    },
  };
}

/** What stays alike from run to run: a form, not the moment that it tells. */
const formOf = (text: string | null): string | null =>
  text?.replace(/\d+/g, (digits) => (digits.length > 5 ? '<many digits>' : '<some digits>')) ?? null;

/** The key with the most calls: its headers tell most about how they move. */
function mostUsed(labels: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const label of labels) {
    counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}
