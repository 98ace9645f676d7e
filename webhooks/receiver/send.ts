import { Agent, request } from 'undici';
import { explainFailure } from '../../common/transport-failure.ts';
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
        return { kind: 'failure', message: explainFailure(error).message };
      }
    },
    close: () => dispatcher.destroy(),
  };
}
