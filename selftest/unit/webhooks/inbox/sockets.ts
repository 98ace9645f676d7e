import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { receiveDeliveries } from '../../../../webhooks/inbox/server.ts';

export const loopback = 'http://127.0.0.1:1';
const closing: (() => unknown)[] = [];

/** Closes everything that the tests opened. */
export async function closeAll(): Promise<void> {
  for (const close of closing.splice(0)) {
    await close();
  }
}

export const closeLater = (close: () => unknown): void => void closing.push(close);

type Bounds = Partial<Record<'headersMs' | 'requestMs' | 'connections', number>>;

/** A receiver with one box. */
export async function open(bounds: Bounds = {}) {
  const inbox = await receiveDeliveries({ bounds: { lookMs: 20, connections: 64, ...bounds } });
  closeLater(() => inbox.close());
  return { inbox, box: inbox.open('secret') };
}

interface Sent {
  readonly method?: string;
  readonly body?: string | Buffer;
  readonly headers?: Record<string, string | string[]>;
}

/** The status of the answer, or the error's code if there is none. */
export const send = (url: string, { method = 'POST', body = '', headers = {} }: Sent = {}): Promise<number | string> =>
  new Promise((resolve) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      response.resume();
      response.on('error', () => {});
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code ?? error.message);
    });
    sent.end(body);
  });

export interface Raw {
  readonly socket: Socket;
  /** Everything that was sent to it; resolves when the connection ends. */
  readonly ended: Promise<string>;
}

/** A raw connection to the receiver, optionally from another address of this machine. */
export async function raw(url: string, text: string, localAddress?: string): Promise<Raw> {
  const { hostname, port } = new URL(url);
  const socket = connect({
    port: Number(port),
    host: hostname,
    ...(localAddress === undefined ? {} : { localAddress }),
  });
  closeLater(() => socket.destroy());
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
  });
  socket.on('error', () => {});
  const ended = new Promise<string>((resolve) => {
    socket.on('close', () => {
      resolve(Buffer.concat(chunks).toString('latin1'));
    });
  });
  await once(socket, 'connect');
  socket.write(text);
  return { socket, ended };
}
