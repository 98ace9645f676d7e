import { describeHeaders } from '../../load/judge/describe.ts';
import { callsOf, type Sample } from '../../load/judge/trace.ts';
import { limitHeaders, minuteMs } from '../../contract/limits.ts';
import { answered } from '../kit/evidence.ts';
import { headerOf } from '../kit/exchange.ts';
import type { Session } from '../kit/session.ts';
import { Inconclusive } from '../kit/stop.ts';

/** Units and formats of the three headers, from all calls of the run with one key, and the spellings seen. */
export function headerFormats(session: Session): unknown {
  const seen = answered(session.evidence).filter(({ keyValid, response }) => keyValid && limitHeaders.every((name) => headerOf(response.headers, name) !== null));
  const label = seen[0]?.keyLabel;
  if (label === undefined || label === null) throw new Inconclusive({ message: 'No response of this run carries all three headers' });
  const samples = seen.filter(({ keyLabel }) => keyLabel === label).map(({ response: { headers, status }, sentAt, receivedAt }): Sample => ({
    sentAt, receivedAt, status, key: label, phase: 'run', retryAfter: headerOf(headers, 'Retry-After'), date: headerOf(headers, 'Date'),
    limit: headerOf(headers, limitHeaders[0]), remaining: headerOf(headers, limitHeaders[1]), reset: headerOf(headers, limitHeaders[2]),
  }));
  const example = samples[0];
  return {
    ...describeHeaders(callsOf(samples, label), minuteMs / session.settings.CLOCK_SPEED),
    example: { limit: example?.limit, remaining: example?.remaining, reset: example?.reset },
  };
}
