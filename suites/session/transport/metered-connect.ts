import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import { TransportFailure } from '../../../common/transport-failure.ts';

/**
 * Connects as `connect` does, and destroys a connection on which one answer takes more than `mostBytes`. That bounds
 * what undici does not count: an endless status line, the framing of chunks, 1xx responses.
 */
export const metered =
  (connect: buildConnector.connector, mostBytes: number): buildConnector.connector =>
  (target, callback) => {
    connect(target, (...result) => {
      const [error, socket] = result;
      if (error === null) {
        meter(socket, mostBytes);
      }
      callback(...result);
    });
  };

/** A connection carries one request at a time, so an answer begins with the first bytes after something was written. */
function meter(socket: Socket, mostBytes: number): void {
  let written = -1;
  let read = 0;
  let readBeforeAnswer = 0;
  socket.on('readable', () => {
    if (socket.bytesWritten !== written) {
      written = socket.bytesWritten;
      readBeforeAnswer = read;
    }
    read = socket.bytesRead;
    if (read - readBeforeAnswer > mostBytes) {
      socket.destroy(new TransportFailure('too-large', `Answer takes more than ${mostBytes} bytes on the wire`));
    }
  });
}
