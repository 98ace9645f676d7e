import type { Clock } from '../../common/clock.ts';
import { jsonTrouble } from '../../common/nesting.ts';
import { type Failure, TransportFailure } from '../../common/transport-failure.ts';
import type { Answer } from './answer.ts';
import type { Call } from './call.ts';
import type { Evidence } from './evidence/evidence.ts';
import type { OwnRecords } from './evidence/own-records.ts';
import { type RecorderParts, recordAnswer } from './evidence/recorder.ts';
import type { Transport, WireRequest, WireResponse } from './transport/transport.ts';
import { wireOf } from './transport/wire.ts';

/** The parts of a session that send a request and record its answer. */
export interface ExchangeParts<S> extends RecorderParts<S> {
  readonly origin: string;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly evidence: Evidence;
  readonly records: OwnRecords;
  readonly timeoutMs: number;
  /** Headers of the user's that go with each call. */
  readonly extraHeaders: Readonly<Record<string, string>>;
  /** What the bodies of the run took so far. */
  readonly received: { bytes: number };
}

/**
 * Most bytes of a body, on the wire and decompressed; of all bodies of a run together; and of one body where the run has
 * received so many.
 */
const most = { body: 4 * 1024 * 1024, run: 64 * 1024 * 1024, late: 64 * 1024 } as const;

/** Sends a call once and records what comes of it. A transport failure is an answer of status 0. */
export async function exchange<S>(parts: ExchangeParts<S>, call: Call): Promise<Answer> {
  const { clock, evidence, records } = parts;
  const request = wireOf(parts.api, parts.origin, call, parts.extraHeaders);
  const number = evidence.nextNumber();
  records.sent(number, call, request);
  const sentAt = clock.now();
  const outcome = await attempt(parts, request);
  const receivedAt = clock.now();
  return recordAnswer(parts, { number, call, request, outcome, records, sentAt, receivedAt });
}

async function attempt<S>(
  { transport, timeoutMs, received }: ExchangeParts<S>,
  request: WireRequest,
): Promise<WireResponse | Failure> {
  try {
    const maxBody = Math.min(most.body, Math.max(most.late, most.run - received.bytes));
    const response = await transport(request, { timeoutMs, maxBody });
    received.bytes += response.body.length;
    const unread = response.unread ?? jsonTrouble(response.body);
    return unread === null ? response : { ...response, body: Buffer.alloc(0), unread };
  } catch (error) {
    if (error instanceof TransportFailure) {
      return { kind: error.kind, message: error.message };
    }
    throw error;
  }
}
