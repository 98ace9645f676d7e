import type { Socket } from 'node:net';
import { buildConnector } from 'undici';
import { TransportFailure } from '../../../common/transport-failure.ts';

/**
 * Connects as undici does, and ends a connection on which more bytes come in answer to one request than any part of an
 * answer may have: what undici does not count, such as an endless status line, the framing of chunks, or 1xx responses.
 */
export function meteredConnect(options: { timeoutMs: number; mostBytes: number }): buildConnector.connector {
  const connect = buildConnector({ allowH2: false, timeout: options.timeoutMs });
  return (target, callback) => {
    connect(target, (...result) => {
      const [error, socket] = result;
      if (error === null) {
        meter(socket, options.mostBytes);
      }
      callback(...result);
    });
  };
}

/** A connection has one request on it at a time: what comes after something was written answers that. */
function meter(socket: Socket, mostBytes: number): void {
  let [written, read, before] = [-1, 0, 0];
  socket.on('readable', () => {
    if (socket.bytesWritten !== written) {
      [written, before] = [socket.bytesWritten, read];
    }
    read = socket.bytesRead;
    if (read - before > mostBytes) {
      socket.destroy(new TransportFailure('too-large', `Answer takes more than ${mostBytes} bytes on the wire`));
    }
  });
}
