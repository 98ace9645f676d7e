import { messageOf } from './cannot-run.ts';

/** Why no response came, or why it could not be read. */
export interface Failure {
  readonly kind: FailureKind;
  /** For people; no code may depend on its words. */
  readonly message: string;
}

export type FailureKind =
  /** There is no such host, or nothing listens there. */
  | 'refused'
  | 'tls'
  /** TLS was begun at a port that speaks plain HTTP. */
  | 'plain-http'
  /** The server speaks TLS, and no HTTP/1.1. */
  | 'no-http1'
  | 'timeout'
  | 'closed'
  | 'too-large'
  | 'too-deep'
  | 'length'
  | 'encoding'
  | 'protocol'
  /** A proxy in front of the deployment answers that it is away, to every call. */
  | 'away'
  /** The proxy through which the calls go cannot be reached, or refuses them. */
  | 'proxy'
  | 'other';

/** Thrown when no answer came or it could not be read. It becomes evidence, and is no defect of the suite. */
export class TransportFailure extends Error {
  readonly kind: FailureKind;
  constructor(kind: FailureKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'TransportFailure';
    this.kind = kind;
  }
}

const byCode: Readonly<Record<string, readonly [FailureKind, string]>> = {
  ECONNREFUSED: ['refused', 'Connection refused'],
  EHOSTUNREACH: ['refused', 'Host unreachable'],
  ENETUNREACH: ['refused', 'Network unreachable'],
  ENOTFOUND: ['refused', 'DNS lookup failed (no such host)'],
  EAI_AGAIN: ['refused', 'DNS lookup failed (the resolver timed out)'],
  ECONNRESET: ['closed', 'Connection reset before the response was complete'],
  EPIPE: ['closed', 'Connection closed while the request was sent'],
  UND_ERR_SOCKET: ['closed', 'Connection closed before the response was complete'],
  UND_ERR_CONNECT_TIMEOUT: ['timeout', 'Timed out while connecting'],
  ETIMEDOUT: ['timeout', 'Timed out while connecting'],
  // What AbortSignal.timeout throws has this name; its code is a number.
  TimeoutError: ['timeout', 'Timed out'],
  UND_ERR_HEADERS_OVERFLOW: ['too-large', 'Headers are too large'],
  UND_ERR_RES_EXCEEDED_MAX_SIZE: ['too-large', 'Body is larger than the suite reads'],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ['length', 'Body length differs from Content-Length'],
};

/** Codes of OpenSSL and of Node's own checks of a certificate. */
const tlsCode = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH|EPROTO)/;
/** What OpenSSL says where the other side does not speak TLS at all. */
const plainPort = /wrong version number|packet length too long|ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)/i;
/** What TLS says where the server does not speak HTTP/1.1. */
const noHttp1 = /no.application.protocol/i;
/** What undici says of another protocol, and of a 100 Continue or 101 Switching Protocols that it did not ask for. */
const notHttp = /\(Expected HTTP\/|^bad (response|upgrade)$/;

/** Turns whatever a transport threw into a TransportFailure: its kind is for code, its message for people. */
export function explainFailure(error: unknown): TransportFailure {
  if (error instanceof TransportFailure) {
    return error;
  }
  const { code: codeOrNumber = '', name = '', message = messageOf(error) } = rootOf(error);
  const code = typeof codeOrNumber === 'string' ? codeOrNumber : name;
  if (tlsCode.test(code)) {
    if (noHttp1.test(`${message} ${code}`)) {
      return new TransportFailure('no-http1', `Server speaks HTTP/2 only: it refused HTTP/1.1 (${code})`, error);
    }
    const kind = plainPort.test(`${message} ${code}`) ? 'plain-http' : 'tls';
    // OpenSSL has it among codes and places of its source: `…:SSL routines:FUNCTION:REASON:FILE:LINE:`.
    const [, reason = message] = /:SSL routines:[^:]*:([^:]+):/.exec(message) ?? [];
    return new TransportFailure(kind, `TLS failed: ${reason} (${code})`, error);
  }
  if (code.startsWith('HPE_') || name === 'HTTPParserError' || notHttp.test(message)) {
    const words = 'Response is not HTTP/1.1; it is broken, or HTTP/2 without TLS, or another protocol';
    return new TransportFailure('protocol', `${words}: ${message}`, error);
  }
  const known = Object.hasOwn(byCode, code) ? byCode[code] : undefined;
  return known
    ? new TransportFailure(known[0], known[1], error)
    : new TransportFailure('other', `${message} ${code}`.trim(), error);
}

interface Coded {
  readonly code?: string | number;
  readonly name?: string;
  readonly message?: string;
}

/**
 * The innermost error that has a code. undici and Node wrap errors, and Node collects one error for each address it
 * tried.
 */
function rootOf(error: unknown, depth = 8): Coded {
  const { code, cause, errors } = (error ?? {}) as Coded & { cause?: unknown; errors?: unknown[] };
  const inner = errors?.[0] ?? (code === undefined ? cause : undefined);
  return inner === undefined || depth === 0 ? ((error ?? {}) as Coded) : rootOf(inner, depth - 1);
}
