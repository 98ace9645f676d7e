import { Agent, type Dispatcher } from 'undici';
import { decompress } from '../../../common/decompress.ts';
import { explainFailure } from '../../../common/explain-failure.ts';
import { gatherBytes } from '../../../common/gather-bytes.ts';
import { TransportFailure } from '../../../common/transport-failure.ts';
import { isWrite } from '../../../contract/endpoint.ts';
import { type HeaderLines, headerOf } from '../../../results/exchange.ts';
import { createSemaphore, type Semaphore } from '../semaphore.ts';
import { meteredConnect } from './metered-connect.ts';
import type { Bounds, Transport, WireRequest, WireResponse } from './transport.ts';

export interface SocketTransport {
  readonly transport: Transport;
  /** Ends the connections; nothing can be sent afterwards. */
  close(): Promise<void>;
}

/**
 * What an answer may have besides its body: bytes of header fields, or of trailers; header lines; responses before the
 * answer (1xx); pieces that its body comes in; bytes on the wire, all framing included. Sane answers have a tenth of any of them.
 */
const most = {
  headerBytes: 32 * 1024,
  headerLines: 256,
  interim: 16,
  pieces: 32 * 1024,
  wireBytes: 9 * 1024 * 1024,
} as const;

/** A body that is larger waits, half read, until fewer than so many others are: all of them at once would fill the memory. */
const [largeBody, mostLarge] = [256 * 1024, 1];

/**
 * A transport over sockets: a deadline on the whole exchange, which bounds the time between bytes too, and caps on every
 * part of an answer, each held before the part is kept. Reads share a keep-alive pool; a call that may change something
 * has a connection of its own, since a server may close an idle one just as a request goes out on it, and such a call
 * must not be sent twice.
 */
export function socketTransport(options: { connections: number; timeoutMs: number }): SocketTransport {
  const agentWith = (keeping: Agent.Options): Agent =>
    new Agent({
      connections: options.connections,
      connect: meteredConnect({ timeoutMs: options.timeoutMs, mostBytes: most.wireBytes }),
      // The deadline of the exchange rules; these two would only fire without it.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: most.headerBytes,
      allowH2: false,
      ...keeping,
    });
  const [reading, writing] = [agentWith({ keepAliveTimeout: 2000 }), agentWith({ pipelining: 0 })];
  const larges = createSemaphore(mostLarge);
  return {
    transport: async (request, bounds) => {
      try {
        const agent = isWrite(request.method) ? writing : reading;
        const { body, ...head } = await exchange(agent, larges, request, bounds);
        return { ...head, body: decompress(body, headerOf(head.headers, 'content-encoding'), bounds.maxBody) };
      } catch (error) {
        throw explainFailure(error);
      }
    },
    close: async () => {
      await Promise.all([reading.destroy(), writing.destroy()]);
    },
  };
}

/** Sends a request and takes in the answer, its body as it is on the wire. */
function exchange(
  agent: Agent,
  larges: Semaphore,
  request: WireRequest,
  { timeoutMs, maxBody }: Bounds,
): Promise<WireResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<WireResponse>();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let isLarge = false;
  const body = gatherBytes(maxBody);
  let [interim, pieces, status, headers]: [number, number, number, HeaderLines] = [0, 0, 0, []];
  let [controller, failure]: [Dispatcher.DispatchController | null, TransportFailure | null] = [null, null];

  // A request that waits for a connection has no controller yet: it is ended when it gets one.
  const fail = (kind: TransportFailure['kind'], message: string): void => {
    failure ??= new TransportFailure(kind, message);
    controller?.abort(failure);
    reject(failure);
  };
  const timer = setTimeout(() => fail('timeout', `No complete answer within ${timeoutMs} ms`), timeoutMs);

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(given) {
      controller = given;
      if (failure !== null) {
        given.abort(failure);
      }
    },
    onResponseStart(given, code) {
      if (code < 100) {
        fail('protocol', `Status is ${code}, which HTTP does not have`);
        return;
      }
      if (code < 200) {
        interim += 1;
        if (interim > most.interim) {
          fail('too-large', `More than ${most.interim} responses come before the answer (${code})`);
        }
        return;
      }
      [status, headers] = [code, linesOf(given.rawHeaders)];
      if (headers.length > most.headerLines) {
        fail('too-large', `Headers are more than ${most.headerLines} lines`);
      }
    },
    onResponseData(given, chunk) {
      pieces += 1;
      if (!body.add(chunk)) {
        fail('too-large', `Body is larger than ${maxBody} bytes`);
      } else if (pieces > most.pieces) {
        fail('too-large', `Body comes in more than ${most.pieces} pieces`);
      } else if (!isLarge && body.size > largeBody) {
        isLarge = true;
        given.pause();
        void larges(() => {
          given.resume();
          return ended;
        });
      }
    },
    onResponseEnd() {
      resolve({ status, headers, body: body.bytes() });
    },
    onResponseError(_, error) {
      reject(failure ?? error);
    },
  };
  const { origin, pathname, search } = new URL(request.url);
  const { method, body: sent } = request;
  try {
    agent.dispatch({ origin, path: pathname + search, method, headers: request.headers.flat(), body: sent }, handler);
  } catch (error) {
    reject(error);
  }
  return promise.finally(() => {
    clearTimeout(timer);
    end();
  });
}

/** undici gives raw headers as a flat list of names and values. */
function linesOf(raw: Dispatcher.DispatchController['rawHeaders']): HeaderLines {
  const flat = (Array.isArray(raw) ? raw : []).map((text) =>
    typeof text === 'string' ? text : text.toString('latin1'),
  );
  return Array.from({ length: flat.length / 2 }, (_, i) => [flat[2 * i] ?? '', flat[2 * i + 1] ?? ''] as const);
}
