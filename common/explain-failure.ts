import { messageOf } from './message-of.ts';
import { type FailureKind, TransportFailure } from './transport-failure.ts';

const byCode: Readonly<Record<string, readonly [FailureKind, string]>> = {
  ECONNREFUSED: ['refused', 'Connection is refused'],
  EHOSTUNREACH: ['refused', 'Host is not reachable'],
  ENETUNREACH: ['refused', 'Network is not reachable'],
  ENOTFOUND: ['dns', 'Host name does not resolve'],
  EAI_AGAIN: ['dns', 'Host name does not resolve (the resolver does not answer)'],
  ECONNRESET: ['reset', 'Connection is reset before the answer is complete'],
  EPIPE: ['closed', 'Connection is closed while the request is sent'],
  UND_ERR_SOCKET: ['closed', 'Connection is closed before the answer is complete'],
  UND_ERR_CONNECT_TIMEOUT: ['timeout', 'No connection within the deadline'],
  ETIMEDOUT: ['timeout', 'No connection within the deadline'],
  // What AbortSignal.timeout throws has this name; its code is a number.
  TimeoutError: ['timeout', 'No answer within the deadline'],
  UND_ERR_HEADERS_OVERFLOW: ['too-large', 'Headers are too large'],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ['length', 'Body is not as long as Content-Length says'],
};

/** Codes of OpenSSL and of Node's own checks of a certificate. */
const tlsCode = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH|EPROTO)/;
/** What undici says of a 100 Continue or 101 Switching Protocols that it did not ask for. */
const unasked = /^bad (response|upgrade)$/;

/** Turns whatever a transport threw into a TransportFailure: its kind is for code, its message for people. */
export function explainFailure(error: unknown): TransportFailure {
  if (error instanceof TransportFailure) {
    return error;
  }
  const { code: codeOrNumber = '', name = '', message = messageOf(error) } = rootOf(error);
  const code = typeof codeOrNumber === 'string' ? codeOrNumber : name;
  if (tlsCode.test(code)) {
    return new TransportFailure('tls', `TLS fails: ${tlsReason(message)} (${code})`, error);
  }
  if (code.startsWith('HPE_') || name === 'HTTPParserError') {
    return new TransportFailure('protocol', `Answer is not HTTP: ${message} ${code}`.trim(), error);
  }
  if (code === 'UND_ERR_SOCKET' && unasked.test(message)) {
    return new TransportFailure('protocol', 'Answer is 100 Continue or an upgrade, which was not asked for', error);
  }
  const known = Object.hasOwn(byCode, code) ? byCode[code] : undefined;
  return known
    ? new TransportFailure(known[0], known[1], error)
    : new TransportFailure('other', `${message} ${code}`.trim(), error);
}

/**
 * The reason in an OpenSSL message, where it stands among codes and source places: `…:SSL
 * routines:FUNCTION:REASON:FILE:LINE:`.
 */
function tlsReason(message: string): string {
  const [, reason] = /:SSL routines:[^:]*:([^:]+):/.exec(message) ?? [];
  return reason ?? message.split('\n')[0] ?? message;
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
