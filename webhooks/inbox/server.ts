import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CannotRun } from '../../common/cannot-run.ts';
import { type Clock, systemClock } from '../../common/clock.ts';
import { isLoopback } from '../../common/uri.ts';
import type { Arrived } from '../signature/delivery.ts';
import type { Reply } from './handshake.ts';
import { createMailroom, type Inbox, inboxBounds, type NoInbox } from './inbox.ts';

/** The settings for the inbox. */
interface InboxSettings {
  readonly WEBHOOK_LISTEN: string;
  readonly WEBHOOK_PUBLIC_URL?: string | undefined;
}

/**
 * Opens the inbox of a run on WEBHOOK_LISTEN, or none if the deployment is not on this machine and there is no public
 * URL. Throws CannotRun if the address cannot be bound.
 */
export async function openInbox(settings: InboxSettings, target: string, clock: Clock): Promise<Inbox | NoInbox> {
  const { WEBHOOK_LISTEN: listen, WEBHOOK_PUBLIC_URL: publicUrl } = settings;
  return publicUrl === undefined && !isLoopback(target)
    ? { kind: 'no inbox', reason: tunnelAdvice(listen) }
    : receiveDeliveries({ listen, publicUrl, clock });
}

/**
 * Receives deliveries over HTTP. `listen` is host:port, by default any free port of loopback; `publicUrl` is the URL
 * under which senders reach it, if it is another. Throws CannotRun if the address cannot be bound.
 */
export async function receiveDeliveries({
  listen = '127.0.0.1:0',
  publicUrl,
  clock = systemClock,
}: {
  readonly listen?: string;
  readonly publicUrl?: string | undefined;
  readonly clock?: Clock;
} = {}): Promise<Inbox> {
  // At a public URL, not only the deployment calls.
  const server = createServer({
    headersTimeout: 5_000,
    requestTimeout: 15_000,
    keepAliveTimeout: 2_000,
    connectionsCheckingInterval: 1_000,
    maxHeaderSize: 65_536,
  });
  const address = await bind(server, listen);
  const mailroom = createMailroom(publicUrl ?? address, clock, async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  });
  server.maxConnections = 256;
  // What is dropped may have been a delivery.
  server.on('drop', () => mailroom.lose(503));
  server.on('request', (request, response) => read(mailroom, request, response));
  server.on('clientError', (_error, socket) => socket.destroy());
  return mailroom;
}

/** Whether a mailbox answers to a challenge that this machine sends to its URL, within `ms`: a public URL may lead elsewhere. */
export async function isReached(url: string, ms: number): Promise<boolean> {
  const asked = fetch(`${url}?challenge=${encodeURIComponent(url)}`, { signal: AbortSignal.timeout(ms) });
  return (await asked.then((response) => response.text()).catch(() => '')) === url;
}

/** Reads a request. One for a path that no mailbox has is answered before its body is read. */
function read(mailroom: Inbox, request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  let size = 0;
  request.on('error', () => request.destroy());
  response.on('error', () => response.destroy());
  if (!mailroom.knows(request.url ?? '')) {
    end(request, response, mailroom.receive(arrivedOf(request, Buffer.alloc(0))));
    return;
  }
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= inboxBounds.body) {
      chunks.push(chunk);
    } else if (!response.headersSent) {
      end(request, response, mailroom.lose(413));
    }
  });
  request.on('end', () => {
    if (!response.headersSent) {
      const { status, headers, body } = mailroom.receive(arrivedOf(request, Buffer.concat(chunks)));
      response.writeHead(status, headers).end(body);
    }
  });
}

/** A request as it arrived. What a trailer holds, such as a signature made while the body was sent, counts as a header. */
function arrivedOf(request: IncomingMessage, body: Buffer): Arrived {
  const raw = [...request.rawHeaders, ...request.rawTrailers];
  const headers = raw.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name, raw[index + 1] ?? '']] : [],
  );
  return { method: request.method ?? '', url: request.url ?? '', headers, body };
}

/** Answers without reading the rest of the request, and closes the connection. */
function end(request: IncomingMessage, response: ServerResponse, { status, headers, body }: Reply): void {
  response.once('finish', () => request.destroy());
  response.writeHead(status, { ...headers, Connection: 'close' }).end(body);
}

const tunnelAdvice = (listen: string): string =>
  'WEBHOOK_PUBLIC_URL is not set, and the deployment is not on this machine, so it cannot reach the webhook receiver: ' +
  `set WEBHOOK_LISTEN to a fixed port (it is ${listen}), open a tunnel to it ` +
  '(cloudflared tunnel --url http://127.0.0.1:PORT, or ngrok http PORT), and set WEBHOOK_PUBLIC_URL to its https URL';

/** Binds `host:port`, and returns the URL under which this machine reaches it. */
async function bind(server: Server, listen: string): Promise<string> {
  // Node refuses what is no port, and so an address without one.
  const [, host, port] = /^(.+):(\d+)$/.exec(listen) ?? [];
  try {
    server.listen(Number(port), host?.replace(/^\[|\]$/g, ''));
    await once(server, 'listening');
  } catch (error) {
    throw new CannotRun(
      `Cannot listen for webhooks on WEBHOOK_LISTEN ${listen}: ${(error as Error).message}; choose another address of this machine, or port 0 for any that is free`,
    );
  }
  const { address, family, port: boundPort } = server.address() as AddressInfo;
  const isEvery = address === '0.0.0.0' || address === '::';
  return `http://${isEvery ? '127.0.0.1' : family === 'IPv6' ? `[${address}]` : address}:${boundPort}`;
}
