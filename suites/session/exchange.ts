import type { Clock } from '../../common/clock.ts';
import { createSemaphore } from '../../common/semaphore.ts';
import { type Failure, TransportFailure } from '../../common/transport-failure.ts';
import type { Answer, ApiKey, Call, SentCall } from './call.ts';
import { type RecorderParts, recordAnswer } from './evidence/recorder.ts';
import type { Policy } from './pace/policy.ts';
import type { WriteGuard } from './pace/write-guard.ts';
import type { Transport, WireRequest, WireResponse } from './transport/transport.ts';
import { wireOf } from './transport/wire.ts';

/** The parts of a session that let a request pass, send it, and record its answer. */
export interface ExchangeParts<S> extends RecorderParts<S> {
  readonly origin: string;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly policy: Policy;
  readonly writeGuard: WriteGuard;
  /** The calls of the run, in the order in which they ended. */
  readonly sent: SentCall[];
  /** The keys that were sent, by label. */
  readonly keys: Map<string, ApiKey>;
}

/** Most exchanges under way at a time. */
const concurrency = 12;

/** Most bytes of all bodies of a run together, and of one body where the run has received so many. */
const most = { run: 64 * 1024 * 1024, late: 64 * 1024 } as const;

/**
 * Makes the function that sends one request, if the last gate lets it pass, records what comes of it and notes the
 * call. A transport failure is an answer of status 0. `isPaced`: the call waited for its turn. Throws Skipped and
 * Inconclusive where a call may not be sent.
 */
export function createExchange<S>(parts: ExchangeParts<S>): (call: Call, isPaced: boolean) => Promise<Answer> {
  const { api, clock, settings, policy, writeGuard, evidence, sent, keys } = parts;
  const withPermit = createSemaphore(concurrency);
  let receivedBytes = 0;

  async function attempt(request: WireRequest): Promise<WireResponse | Failure> {
    try {
      const response = await parts.transport(request);
      receivedBytes += response.body.length;
      if (receivedBytes > most.run && response.body.length > most.late) {
        const message = `Body is larger than ${most.late} bytes, after ${most.run} bytes of others`;
        return { ...response, body: Buffer.alloc(0), unread: { kind: 'too-large', message } };
      }
      return response;
    } catch (error) {
      if (error instanceof TransportFailure) {
        return { kind: error.kind, message: error.message };
      }
      throw error;
    }
  }

  return (call, isPaced) =>
    withPermit(async () => {
      writeGuard.assert(call);
      policy.admit(call);
      if (call.key !== null && call.key.origin !== 'unknown') {
        keys.set(call.key.label, call.key);
      }
      const request = wireOf(api, parts.origin, call, settings.EXTRA_HEADERS);
      const sending = { number: evidence.nextNumber(), call, request, isPaced, sentAt: clock.now() };
      const outcome = await attempt(request);
      const ended = { ...sending, receivedAt: clock.now() };
      const answer = recordAnswer(parts, { ...ended, outcome });
      sent.push({ ...ended, status: answer.status, accepted: answer.accepted });
      return answer;
    });
}
