import type { Verdict } from '../../limits/judge/judge.ts';
import type { Sample } from '../../limits/judge/trace.ts';
import type { Answer } from '../session/answer.ts';
import type { Call } from '../session/call.ts';
import type { Session } from '../session/session.ts';

/** What the judge of limits says of one question. */
export interface Word {
  readonly verdict: string;
  readonly says: string;
}

/** A key, or a workspace, that was driven over its minute's limit, and what the judge of limits makes of the trace. */
export interface Drive {
  /** `sandbox key`: whose limit it is. */
  readonly subject: string;
  /** Requests a minute. */
  readonly limit: number;
  readonly samples: readonly Sample[];
  readonly verdict: Verdict;
  /** What is said of the limit itself, further calls that were tried while it was used up included. */
  readonly perMinute: Word;
  /** The answer to the first call that was refused, else to the first or last of all. */
  readonly decisive: Answer;
}

/** The calls of a drive, as samples for the judge and as answers for findings. */
export interface Recording {
  readonly answers: ReadonlyMap<Sample, Answer>;
  /** Sends a call now, whatever the pace. `phase` says what it is for. Throws Skipped. */
  send(phase: string, call: Call): Promise<Sample>;
}

export function createRecording({ client }: Session): Recording {
  const answers = new Map<Sample, Answer>();
  return {
    answers,
    async send(phase, call) {
      const answer = await client.sendNow(call);
      const sample = sampleOf(answer, phase);
      answers.set(sample, answer);
      return sample;
    },
  };
}

/** An answer as the judge of limits wants it; `key` is the label that it is counted under. */
export function sampleOf(answer: Answer, phase: string, key = String(answer.exchange.keyLabel)): Sample {
  const { sentAt, receivedAt } = answer.exchange;
  return {
    sentAt,
    receivedAt,
    phase,
    key,
    status: answer.status,
    limit: answer.header('X-RateLimit-Limit'),
    remaining: answer.header('X-RateLimit-Remaining'),
    reset: answer.header('X-RateLimit-Reset'),
    retryAfter: answer.header('Retry-After'),
    date: answer.header('Date'),
  };
}
