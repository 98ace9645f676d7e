import type { Clock } from '../../common/clock.ts';
import { jsonTrouble } from '../../common/nesting.ts';
import { type Failure, TransportFailure } from '../../common/transport-failure.ts';
import type { Answer } from './answer.ts';
import type { Call } from './call.ts';
import type { Evidence } from './evidence/evidence.ts';
import type { OwnRecords } from './evidence/own-records.ts';
import { type Recording, recordAnswer } from './evidence/recorder.ts';
import type { Transport, WireRequest, WireResponse } from './transport/transport.ts';
import { wireOf } from './transport/wire.ts';

/** What a request is sent, and its answer recorded, with. */
export interface Sending<S> extends Recording<S> {
  readonly origin: string;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly evidence: Evidence;
  readonly records: OwnRecords;
  readonly timeoutMs: number;
}

/** Bytes. */
const maxBody = 4 * 1024 * 1024;

/** Sends the request that a call stands for, and records what comes of it. */
export async function exchange<S>(sending: Sending<S>, call: Call): Promise<Answer> {
  const { clock, evidence, records } = sending;
  const request = wireOf(sending.api, sending.origin, call);
  const number = evidence.nextNumber();
  records.sent(number, call, request);
  const sentAt = clock.now();
  const outcome = await attempt(sending, request);
  const receivedAt = clock.now();
  return recordAnswer(sending, { number, call, request, outcome, records, sentAt, receivedAt });
}

async function attempt<S>({ transport, timeoutMs }: Sending<S>, request: WireRequest): Promise<WireResponse | Failure> {
  try {
    const response = await transport(request, { timeoutMs, maxBody });
    return jsonTrouble(response.body) ?? response;
  } catch (error) {
    if (error instanceof TransportFailure) {
      return { kind: error.kind, message: error.message };
    }
    throw error;
  }
}
