import { Agent, type Dispatcher, ProxyAgent } from 'undici';
import { decompress } from '../../../common/decompress.ts';
import { explainFailure, type FailureKind, TransportFailure } from '../../../common/transport-failure.ts';
import { isWrite } from '../../../contract/endpoint.ts';
import { headerOf } from '../../../results/exchange.ts';
import { type HttpProxy, proxyFor } from '../../../settings/proxies.ts';
import { withoutUser } from '../../../settings/target.ts';
import { mostBody, type Transport, type WireRequest, type WireResponse } from './transport.ts';

/** Most bytes of header fields. */
const mostHeaderBytes = 32 * 1024;

/**
 * A transport over sockets. The whole exchange has a deadline, `timeoutMs`, headers and body have a cap. Reads share a
 * keep-alive pool. A call that may change something gets a connection of its own: a server may close an idle one just
 * as a request goes out on it, and such a call must not be sent twice. HTTP/1.1 is spoken. Throws CannotRun where the
 * environment names a proxy wrongly.
 */
export function socketTransport(timeoutMs: number, proxyOf = proxyFor) {
  const ways = new Map<string, ReturnType<typeof openWay>>();
  const transport: Transport = async (request) => {
    const url = new URL(request.url);
    const mayChange = isWrite(request.method);
    const name = `${url.origin} ${mayChange}`;
    const way = ways.get(name) ?? openWay(timeoutMs, proxyOf(request.url), mayChange);
    ways.set(name, way);
    try {
      return decoded(await exchange(way.agent, url, request, timeoutMs));
    } catch (error) {
      const failure = explainFailure(error);
      throw way.proxy === null ? failure : throughProxy(failure, way.proxy);
    }
  };
  /** Closes the connections; nothing can be sent afterwards. */
  const close = async (): Promise<void> => {
    await Promise.all([...ways.values()].map(({ agent }) => agent.destroy()));
  };
  return { transport, close };
}

/** The way to an origin: its connections, and the proxy that they go through. */
function openWay(timeoutMs: number, proxy: HttpProxy | null, mayChange: boolean) {
  const common: Agent.Options = {
    // Off: the deadline covers the whole exchange.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: mostHeaderBytes,
    maxResponseSize: mostBody,
    allowH2: false,
    ...(mayChange ? { pipelining: 0 } : { keepAliveTimeout: 2000 }),
  };
  const agent =
    proxy === null
      ? new Agent({ ...common, connect: { timeout: timeoutMs } })
      : new ProxyAgent({ ...common, uri: proxy.url, connectTimeout: timeoutMs, requestTls: { allowH2: false } });
  return { agent, proxy };
}

const twoLengths =
  'Response has Content-Length beside Transfer-Encoding, which RFC 9112, 6.2, forbids, or a second Content-Length';

/** Sends a request and reads the answer; its body is still compressed. */
async function exchange(
  agent: Dispatcher,
  { origin, pathname, search }: URL,
  { method, headers, body }: WireRequest,
  timeoutMs: number,
): Promise<WireResponse> {
  const signal = AbortSignal.timeout(timeoutMs);
  let response: Dispatcher.ResponseData | null = null;
  try {
    const path = pathname + search;
    const call = { origin, path, method: method as Dispatcher.HttpMethod, headers: headers.flat(), body, signal };
    response = await agent.request(call);
    return { ...headOf(response), body: Buffer.from(await response.body.arrayBuffer()) };
  } catch (error) {
    if (signal.aborted) {
      throw new TransportFailure('timeout', `No complete answer within ${timeoutMs} ms`, error);
    }
    const failure = explainFailure(error);
    if (failure.kind === 'too-large' && response !== null) {
      return unreadable(headOf(response), failure);
    }
    // Before the head was read, no body can have had the wrong length: undici says so of a head that breaks off there.
    throw failure.kind === 'length' && response === null
      ? new TransportFailure('protocol', twoLengths, error)
      : failure;
  }
}

type Head = Pick<WireResponse, 'status' | 'headers'>;

const headOf = ({ statusCode, headers }: Dispatcher.ResponseData): Head => ({
  status: statusCode,
  headers: Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((line) => [name, line] as const),
  ),
});

/** An answer whose body could not be read keeps its status: this may decide a clause. */
const unreadable = (head: Head, { kind, message }: TransportFailure): WireResponse => ({
  ...head,
  body: Buffer.alloc(0),
  unread: { kind, message },
});

/** The answer without its content codings. */
function decoded(answer: WireResponse): WireResponse {
  try {
    return { ...answer, body: decompress(answer.body, headerOf(answer.headers, 'content-encoding'), mostBody) };
  } catch (error) {
    if (error instanceof TransportFailure) {
      return unreadable(answer, error);
    }
    throw error;
  }
}

/** Behind a proxy, these mean that the proxy cannot be reached, or refuses. It looks hosts up and connects to them. */
const ofProxy: readonly FailureKind[] = ['refused', 'other'];

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
