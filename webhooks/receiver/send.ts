import { Agent, request } from 'undici';
import type { Sent } from './sign.ts';

/** The answer to a request: a status, or the reason why there is none. */
export type Answer =
  | { readonly kind: 'answer'; readonly status: number }
  | { readonly kind: 'failure'; readonly message: string };

export type Send = (sent: Sent) => Promise<Answer>;

/** Sends requests to one URL. Follows no redirects, repeats nothing, and reads at most 64 KiB of an answer. */
export function createSender(url: string, timeoutMs: number): { readonly send: Send; close(): Promise<void> } {
  const dispatcher = new Agent({ connections: 1, connect: { timeout: timeoutMs }, keepAliveTimeout: 1_000 });
  return {
    send: async ({ headers, body }) => {
      try {
        const answer = await request(url, {
          ...{ method: 'POST', headers: headers.flat(), body, dispatcher },
          signal: AbortSignal.timeout(timeoutMs),
        });
        await answer.body.dump({ limit: 65_536 }).catch(() => undefined);
        return { kind: 'answer', status: answer.statusCode };
      } catch (error) {
        return { kind: 'failure', message: reason(error as Failure, timeoutMs) };
      }
    },
    close: () => dispatcher.destroy(),
  };
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection is refused',
  ECONNRESET: 'connection is closed without an answer',
  EPIPE: 'connection is closed without an answer',
  UND_ERR_SOCKET: 'connection is closed without an answer',
};

/** A connection that fails for several addresses has the codes of all. */
type Failure = Error & { readonly code?: string; readonly errors?: readonly { readonly code?: string }[] };

function reason(error: Failure, timeoutMs: number): string {
  if (error.name === 'TimeoutError') {
    return `no answer within ${timeoutMs} ms`;
  }
  const code = error.code ?? error.errors?.[0]?.code ?? '';
  return reasons[code] ?? `${error.message.split('\n')[0]} ${code}`.trim();
}
