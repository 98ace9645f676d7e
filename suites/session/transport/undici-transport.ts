import type { Dispatcher } from 'undici';
import { decompress } from '../../../common/decompress.ts';
import { explainFailure } from '../../../common/explain-failure.ts';
import { type Failure, TransportFailure } from '../../../common/transport-failure.ts';
import { thousands } from '../../../common/words.ts';
import { isWrite } from '../../../contract/endpoint.ts';
import { type HeaderLines, headerOf } from '../../../results/exchange.ts';
import { proxyFor } from '../../../settings/proxies.ts';
import { openAgents } from './agents.ts';
import { throughProxy } from './proxy-failure.ts';
import type { Bounds, Transport, WireRequest, WireResponse } from './transport.ts';

interface SocketTransport {
  readonly transport: Transport;
  /** Closes the connections; nothing can be sent afterwards. */
  close(): Promise<void>;
}

/**
 * What an answer may have besides its body: bytes of header fields, or of trailers; header lines; 1xx responses before
 * it; pieces of its body; bytes on the wire, framing included. Sane answers have a tenth of each.
 */
const most = {
  headerBytes: 32 * 1024,
  headerLines: 256,
  interim: 16,
  pieces: 32 * 1024,
  wireBytes: 9 * 1024 * 1024,
} as const;

/**
 * A transport over sockets. The whole exchange has a deadline, and every part of an answer a cap, which is checked
 * before the part is kept. Reads share a keep-alive pool. A call that may change something gets a connection of its
 * own: a server may close an idle one just as a request goes out on it, and such a call must not be sent twice. HTTP/1.1 is
 * spoken, and HTTP/2 with a server that takes nothing else. Throws CannotRun where the environment names a proxy wrongly.
 */
export function socketTransport(
  options: { connections: number; timeoutMs: number },
  proxyOf = proxyFor,
): SocketTransport {
  const agents = openAgents({ ...options, mostHeaderBytes: most.headerBytes, mostWireBytes: most.wireBytes }, proxyOf);
  /** The origins that refuse HTTP/1.1. */
  const http2 = new Set<string>();
  const transport: Transport = async (request, bounds) => {
    const { origin } = new URL(request.url);
    const isHttp2 = http2.has(origin);
    const { reading, writing, proxy } = agents.routeOf(request.url, isHttp2);
    try {
      const dispatcher = isWrite(request.method) ? writing : reading;
      return decoded(await exchange(dispatcher, request, bounds), bounds);
    } catch (error) {
      const failure = explainFailure(error);
      // TLS ended before anything was sent, so that a write can be sent again.
      if (!isHttp2 && failure.kind === 'tls' && noHttp1.test(failure.message)) {
        http2.add(origin);
        return transport(request, bounds);
      }
      throw proxy === null ? failure : throughProxy(failure, proxy);
    }
  };
  return { transport, close: () => agents.close() };
}

/** What TLS says where the server takes none of the protocols that were offered: it speaks HTTP/2 alone. */
const noHttp1 = /no.application.protocol/i;

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

const twoLengths =
  'Response has Content-Length beside Transfer-Encoding, which RFC 9112, 6.2, forbids, or a second Content-Length';

type Fail = (kind: TransportFailure['kind'], message: string) => void;

/** Sends a request and reads the answer; its body is still compressed. */
function exchange(dispatcher: Dispatcher, request: WireRequest, { timeoutMs, maxBody }: Bounds): Promise<WireResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<WireResponse>();
  let controller: Dispatcher.DispatchController | null = null;
  let failure: TransportFailure | null = null;
  let hasBegun = false;
  const fail: Fail = (kind, message) => {
    failure ??= new TransportFailure(kind, message);
    controller?.abort(failure);
    reject(failure);
  };
  const timer = setTimeout(() => fail('timeout', `No complete answer within ${timeoutMs} ms`), timeoutMs);
  const reader = answerReader(maxBody, {
    resolve,
    fail,
    giveUp(head, unread) {
      resolve({ ...head, body: Buffer.alloc(0), unread });
      fail(unread.kind, unread.message);
    },
  });
  const handler: Dispatcher.DispatchHandler = {
    ...reader,
    onResponseStart(...args) {
      hasBegun = true;
      reader.onResponseStart?.(...args);
    },
    onRequestStart(given) {
      controller = given;
      // It may have failed while it waited for a connection.
      if (failure !== null) {
        given.abort(failure);
      }
    },
    onResponseError(_, error) {
      const found = failure ?? explainFailure(error);
      // Before the head was read, no body can have had the wrong length: undici says so of a head that breaks off there.
      reject(found.kind === 'length' && !hasBegun ? new TransportFailure('protocol', twoLengths, error) : found);
    },
  };
  const { origin, pathname, search } = new URL(request.url);
  const { method, body } = request;
  try {
    dispatcher.dispatch({ origin, path: pathname + search, method, headers: request.headers.flat(), body }, handler);
  } catch (error) {
    reject(error);
  }
  return promise.finally(() => clearTimeout(timer));
}

/** What a reader of an answer does. */
interface ReaderActions {
  resolve(answer: WireResponse): void;
  readonly fail: Fail;
  /** Ends the exchange with an answer whose body or headers exceed a cap. */
  giveUp(head: Pick<WireResponse, 'status' | 'headers'>, unread: Failure): void;
}

/** Gathers an answer, as far as the first cap that it exceeds. */
function answerReader(
  maxBody: number,
  on: ReaderActions,
): Pick<Dispatcher.DispatchHandler, 'onResponseStart' | 'onResponseData' | 'onResponseEnd'> {
  const { fail } = on;
  const tooLarge = (message: string): void => on.giveUp({ status, headers }, { kind: 'too-large', message });
  const chunks: Buffer[] = [];
  let size = 0;
  let status = 0;
  let headers: HeaderLines = [];
  let interim = 0;
  return {
    onResponseStart({ rawHeaders }, code, fields) {
      if (code < 100) {
        fail('protocol', `Invalid HTTP status ${code}`);
        return;
      }
      if (code < 200) {
        interim += 1;
        if (interim > most.interim) {
          fail('too-large', `More than ${most.interim} interim responses (${code})`);
        }
        return;
      }
      status = code;
      const lines = Array.isArray(rawHeaders) ? linesOf(rawHeaders) : linesIn(fields);
      headers = lines.slice(0, most.headerLines);
      if (lines.length > most.headerLines) {
        tooLarge(`More than ${thousands(most.headerLines)} header lines`);
      }
    },
    onResponseData(_, chunk) {
      size += chunk.length;
      if (size > maxBody) {
        tooLarge(`Body is larger than ${maxBody} bytes`);
      } else if (chunks.push(chunk) > most.pieces) {
        tooLarge(`Body sent in more than ${thousands(most.pieces)} chunks`);
      }
    },
    onResponseEnd() {
      on.resolve({ status, headers, body: Buffer.concat(chunks) });
    },
  };
}

/** The fields of an HTTP/2 response, which have no raw form. */
const linesIn = (fields: Readonly<Record<string, string | string[] | undefined>>): HeaderLines =>
  Object.entries(fields).flatMap(([name, value]) =>
    name.startsWith(':') || value === undefined ? [] : [value].flat().map((line) => [name, line] as const),
  );

/** undici gives raw headers as a flat list of names and values. */
function linesOf(raw: Dispatcher.DispatchController['rawHeaders']): HeaderLines {
  const flat = (Array.isArray(raw) ? raw : []).map((text) =>
    typeof text === 'string' ? text : text.toString('latin1'),
  );
  return Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i] ?? '', flat[2 * i + 1] ?? ''] as const);
}
