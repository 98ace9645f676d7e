import { Agent, request } from 'undici';
import type { Outgoing } from './kit.ts';

/** The answer to a request: a status, or the reason why there is none. `ms` is how long it took. */
export type Answer =
  | { readonly kind: 'answer'; readonly status: number; readonly ms: number }
  | { readonly kind: 'failure'; readonly message: string; readonly ms: number };

export type Send = (outgoing: Outgoing) => Promise<Answer>;

interface Sender {
  readonly send: Send;
  close(): Promise<void>;
}

/** Sends requests to one URL. Follows no redirects, repeats nothing, and reads at most 64 KiB of an answer. */
export function createSender(url: string, timeoutMs: number): Sender {
  const agent = new Agent({
    connections: 1,
    connect: { timeout: timeoutMs },
    maxHeaderSize: 64 * 1_024,
    keepAliveTimeout: 1_000,
  });
  return {
    send: async ({ method, headers, body }) => {
      const begun = performance.now();
      const past = (): number => Math.round(performance.now() - begun);
      try {
        const answer = await request(url, {
          method: method as 'POST',
          headers: headers.flat(),
          body,
          dispatcher: agent,
          signal: AbortSignal.timeout(timeoutMs),
        });
        const ms = past();
        await answer.body.dump({ limit: 65_536 }).catch(() => undefined);
        return { kind: 'answer', status: answer.statusCode, ms };
      } catch (error) {
        return { kind: 'failure', message: reason(error, timeoutMs), ms: past() };
      }
    },
    close: () => agent.destroy(),
  };
}

function reason(error: unknown, timeoutMs: number): string {
  const {
    name = '',
    code = '',
    message = '',
    errors,
  } = error as { name?: string; code?: string; message?: string; errors?: { code?: string }[] };
  if (name === 'TimeoutError') {
    return `no answer within ${timeoutMs} ms`;
  }
  const cause = code || errors?.[0]?.code || '';
  if (cause === 'ECONNREFUSED') {
    return 'connection is refused';
  }
  if (cause === 'UND_ERR_SOCKET' || cause === 'ECONNRESET' || cause === 'EPIPE') {
    return 'connection is closed without an answer';
  }
  return `${message.split('\n')[0]} ${cause}`.trim();
}
