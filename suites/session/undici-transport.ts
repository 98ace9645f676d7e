import { Agent, request as send } from 'undici';
import { DecompressionFailure, decompress } from '../../common/decompress.ts';
import { isWrite } from '../../contract/endpoint.ts';
import { type HeaderLines, headerOf } from '../../results/exchange.ts';
import { type Bounds, type Transport, TransportFailure, type WireResponse } from './transport.ts';

export interface SocketTransport {
  readonly transport: Transport;
  /** Ends the connections; nothing can be sent afterwards. */
  close(): Promise<void>;
}

/**
 * A transport over sockets: a deadline on the whole exchange, caps on headers and body. Reads share a keep-alive pool; a
 * call that may change something has a connection of its own, since a server may close an idle one just as a request goes
 * out on it, and such a call must not be sent twice.
 */
export function socketTransport(options: { connections: number; timeoutMs: number }): SocketTransport {
  const agentWith = (keeping: Agent.Options): Agent =>
    new Agent({
      connections: options.connections,
      connect: { timeout: options.timeoutMs },
      // The deadline of the exchange rules; these two would only fire without it.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: 64 * 1024,
      allowH2: false,
      ...keeping,
    });
  const [reading, writing] = [agentWith({ keepAliveTimeout: 2000 }), agentWith({ pipelining: 0 })];
  return {
    transport: (request, bounds) =>
      exchange(isWrite(request.method) ? writing : reading, request, bounds).catch((error: unknown) => {
        throw explain(error, bounds);
      }),
    close: async () => {
      await Promise.all([reading.destroy(), writing.destroy()]);
    },
  };
}

async function exchange(agent: Agent, request: Parameters<Transport>[0], bounds: Bounds): Promise<WireResponse> {
  const answer = await send(request.url, {
    method: request.method as 'GET',
    headers: request.headers.flat(),
    body: request.body,
    dispatcher: agent,
    responseHeaders: 'raw',
    signal: AbortSignal.timeout(bounds.timeoutMs),
  });
  const headers = pairs(answer.headers);
  const body = await readBounded(answer.body, bounds.maxBody);
  return {
    status: answer.statusCode,
    headers,
    body: decompress(body, headerOf(headers, 'content-encoding'), bounds.maxBody),
  };
}

/** undici gives raw headers as a flat list of names and values. */
function pairs(raw: unknown): HeaderLines {
  const flat = (raw as (string | Buffer)[]).map(String);
  return Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i] ?? '', flat[2 * i + 1] ?? ''] as const);
}

async function readBounded(stream: AsyncIterable<Buffer>, maxBody: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > maxBody) {
      throw new TransportFailure('too-large', `Body is larger than ${maxBody} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const byCode: Readonly<Record<string, readonly [TransportFailure['kind'], string]>> = {
  ECONNREFUSED: ['refused', 'Connection is refused'],
  ENOTFOUND: ['dns', 'Host name does not resolve'],
  EAI_AGAIN: ['dns', 'Host name does not resolve (the resolver does not answer)'],
  EHOSTUNREACH: ['refused', 'Host is not reachable'],
  ENETUNREACH: ['refused', 'Network is not reachable'],
  ECONNRESET: ['closed', 'Connection is reset before the answer is complete'],
  EPIPE: ['closed', 'Connection is closed while the request is sent'],
  UND_ERR_SOCKET: ['closed', 'Connection is closed before the answer is complete'],
  UND_ERR_CONNECT_TIMEOUT: ['timeout', 'No connection within the deadline'],
  UND_ERR_HEADERS_OVERFLOW: ['too-large', 'Headers are larger than 65536 bytes'],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ['length', 'Body is not as long as Content-Length says'],
};

/** Codes of OpenSSL and of Node's own checks of a certificate. */
const tlsCode = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH|EPROTO)/;

function explain(error: unknown, bounds: Bounds): TransportFailure {
  if (error instanceof TransportFailure) {
    return error;
  }
  if (error instanceof DecompressionFailure) {
    return new TransportFailure(error.kind, error.message, error);
  }
  const { code = '', name = '', message = String(error) } = rootOf(error);
  if (name === 'TimeoutError' || name === 'AbortError') {
    return new TransportFailure('timeout', `No complete answer within ${bounds.timeoutMs} ms`, error);
  }
  if (tlsCode.test(code)) {
    return new TransportFailure('tls', `TLS fails: ${message.split('\n')[0]} (${code})`, error);
  }
  if (code.startsWith('HPE_') || name === 'HTTPParserError') {
    return new TransportFailure('protocol', `Answer is not HTTP: ${message} ${code}`.trim(), error);
  }
  const known = byCode[code];
  return known
    ? new TransportFailure(known[0], known[1], error)
    : new TransportFailure('other', `${message} ${code}`.trim(), error);
}

/** The innermost error that has a code: undici and Node wrap, and Node gathers one error an address. */
function rootOf(error: unknown): { code?: string; name?: string; message?: string } {
  const known = error as { code?: string; cause?: unknown; errors?: unknown[] };
  if (known?.errors?.[0] !== undefined) {
    return rootOf(known.errors[0]);
  }
  if (known?.code === undefined && known?.cause !== undefined) {
    return rootOf(known.cause);
  }
  return known ?? {};
}
