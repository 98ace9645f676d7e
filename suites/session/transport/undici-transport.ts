import { Agent, type Dispatcher, ProxyAgent } from 'undici';
import { decompress } from '../../../common/decompress.ts';
import { explainFailure, type FailureKind, TransportFailure } from '../../../common/transport-failure.ts';
import { isWrite } from '../../../contract/endpoint.ts';
import { type HeaderLines, headerOf } from '../../../results/exchange.ts';
import { type HttpProxy, proxyFor } from '../../../settings/proxies.ts';
import { withoutUser } from '../../../settings/target.ts';
import type { Bounds, Transport, WireRequest, WireResponse } from './transport.ts';

interface SocketOptions {
  /** Most connections to one host for reads, and for writes. */
  readonly connections: number;
  /** How long a connection may take, ms. */
  readonly timeoutMs: number;
}

/** Most bytes of header fields. */
const mostHeaderBytes = 32 * 1024;

/**
 * A transport over sockets. The whole exchange has a deadline, headers and body have a cap. Reads share a keep-alive
 * pool. A call that may change something gets a connection of its own: a server may close an idle one just as a request
 * goes out on it, and such a call must not be sent twice. HTTP/1.1 is spoken. Throws CannotRun where the environment
 * names a proxy wrongly.
 */
export function socketTransport(options: SocketOptions, proxyOf = proxyFor) {
  const agents = new Map<string, Dispatcher>();
  const transport: Transport = async (request, bounds) => {
    const proxy = proxyOf(request.url);
    const mayChange = isWrite(request.method);
    const name = `${proxy?.url ?? 'direct'} ${mayChange}`;
    const agent = agents.get(name) ?? openAgent(options, proxy, mayChange);
    agents.set(name, agent);
    try {
      return decoded(await exchange(agent, request, bounds), bounds);
    } catch (error) {
      const failure = explainFailure(error);
      throw proxy === null ? failure : throughProxy(failure, proxy);
    }
  };
  /** Closes the connections; nothing can be sent afterwards. */
  const close = async (): Promise<void> => {
    await Promise.all([...agents.values()].map((agent) => agent.destroy()));
  };
  return { transport, close };
}

function openAgent({ connections, timeoutMs }: SocketOptions, proxy: HttpProxy | null, mayChange: boolean): Dispatcher {
  const common: Agent.Options = {
    connections,
    // Off: the deadline covers the whole exchange.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: mostHeaderBytes,
    allowH2: false,
    ...(mayChange ? { pipelining: 0 } : { keepAliveTimeout: 2000 }),
  };
  return proxy === null
    ? new Agent({ ...common, connect: { timeout: timeoutMs } })
    : new ProxyAgent({ ...common, uri: proxy.url, connectTimeout: timeoutMs, requestTls: { allowH2: false } });
}

const twoLengths =
  'Response has Content-Length beside Transfer-Encoding, which RFC 9112, 6.2, forbids, or a second Content-Length';

/** Sends a request and reads the answer; its body is still compressed. */
async function exchange(
  agent: Dispatcher,
  { url, method, headers, body }: WireRequest,
  { timeoutMs, maxBody }: Bounds,
): Promise<WireResponse> {
  const { origin, pathname, search } = new URL(url);
  const signal = AbortSignal.timeout(timeoutMs);
  let response: Dispatcher.ResponseData | null = null;
  try {
    const path = pathname + search;
    const call = { origin, path, method: method as Dispatcher.HttpMethod, headers: headers.flat(), body, signal };
    response = await agent.request(call);
    const head = { status: response.statusCode, headers: linesOf(response.headers) };
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of response.body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBody) {
        const message = `Body is larger than ${maxBody} bytes`;
        return { ...head, body: Buffer.alloc(0), unread: { kind: 'too-large', message } };
      }
      chunks.push(chunk);
    }
    return { ...head, body: Buffer.concat(chunks) };
  } catch (error) {
    if (signal.aborted) {
      throw new TransportFailure('timeout', `No complete answer within ${timeoutMs} ms`, error);
    }
    const failure = explainFailure(error);
    // Before the head was read, no body can have had the wrong length: undici says so of a head that breaks off there.
    throw failure.kind === 'length' && response === null
      ? new TransportFailure('protocol', twoLengths, error)
      : failure;
  }
}

const linesOf = (headers: Dispatcher.ResponseData['headers']): HeaderLines =>
  Object.entries(headers).flatMap(([name, value]) => [value ?? []].flat().map((line) => [name, line] as const));

/** The answer without its content codings. One that is not decoded keeps its status: this may decide a clause. */
function decoded(answer: WireResponse, { maxBody }: Bounds): WireResponse {
  try {
    return { ...answer, body: decompress(answer.body, headerOf(answer.headers, 'content-encoding'), maxBody) };
  } catch (error) {
    if (error instanceof TransportFailure) {
      return { ...answer, body: Buffer.alloc(0), unread: { kind: error.kind, message: error.message } };
    }
    throw error;
  }
}

/** Behind a proxy, these mean that the proxy cannot be reached, or refuses. It looks hosts up and connects to them. */
const ofProxy: readonly FailureKind[] = ['refused', 'dns', 'other'];

/** The failure of a call that went through a proxy. It says so, and whether it is the proxy that failed. */
function throughProxy(failure: TransportFailure, { url, variable }: HttpProxy): TransportFailure {
  const proxy = `proxy ${withoutUser(url)}, which ${variable} names`;
  if (!ofProxy.includes(failure.kind)) {
    return new TransportFailure(failure.kind, `${failure.message}, through the ${proxy}`, failure);
  }
  // undici gives the status of a refusal only in its message.
  const [, status] = /\((\d{3})\)/.exec(failure.message) ?? [];
  const why = status === undefined ? `fails: ${failure.message}` : `answers ${status}`;
  return new TransportFailure('proxy', `The ${proxy}, ${why}`, failure);
}
