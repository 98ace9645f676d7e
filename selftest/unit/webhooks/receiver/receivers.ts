import { createServer, type IncomingHttpHeaders } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { type PresetName, presets } from '../../../../webhooks/signature/scheme.ts';
import { verifyWebhook } from '../../../../webhooks/verify/verify.mjs';
import { listenOnFreePort } from '../../../free-port.ts';
import { plain, whsec } from '../deliveries.ts';

/** The input of a receiver's handler. */
export interface Incoming {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Answers with a status, and with headers, or ends the server. An exception becomes a 500, as in usual frameworks. */
export type Handler = (
  incoming: Incoming,
  end: () => void,
) => number | readonly [status: number, headers: Record<string, string>];

/** Serves a handler on loopback. */
export async function serve(handler: Handler): Promise<{ readonly url: string; close(): void }> {
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const body = Buffer.concat(await request.toArray());
    try {
      const [status, lines] = [handler({ method, url, headers, body }, close)].flat() as [
        number,
        Record<string, string>?,
      ];
      response.writeHead(status, lines);
    } catch {
      response.statusCode = 500;
    }
    response.end();
  });
  return { url: `http://127.0.0.1:${await listenOnFreePort(server)}/hook?tenant=7`, close };
}

export const header = ({ headers }: Incoming, name: string): string => String(headers[name] ?? '');

/** A correct handler around a verifier: POST only, signature first, then JSON. */
export const guarded =
  (verifies: (incoming: Incoming) => boolean) =>
  (incoming: Incoming): number => {
    if (incoming.method !== 'POST' || !verifies(incoming)) {
      return incoming.method === 'POST' ? 401 : 405;
    }
    try {
      JSON.parse(incoming.body.toString('utf8'));
      return 204;
    } catch {
      return 400;
    }
  };

/** A verifier by a preset: verify.test.ts shows that it takes what independent senders sign. */
const verifying =
  (preset: PresetName) =>
  (incoming: Incoming): boolean =>
    verifyWebhook(presets[preset], { ...incoming, registeredUrl: '', headers: incoming.headers as never }, plain);

export const [github, stripe] = [verifying('github'), verifying('stripe')];

function standard({ headers, body }: Incoming): boolean {
  try {
    new Webhook(whsec).verify(body.toString('utf8'), headers as Record<string, string>);
    return true;
  } catch {
    // The package parses the verified body. Malformed JSON is not a wrong signature, but is refused too.
    return false;
  }
}

/** A correct receiver for each kind of preset: with and without a time, and with several signatures. */
export const correct = { 'standard-webhooks': standard, github, stripe } as const;
