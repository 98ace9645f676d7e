import type { IncomingMessage, ServerResponse } from 'node:http';
import { gatherBytes } from '../../common/gather-bytes.ts';
import type { Mailroom } from './inbox.ts';
import { inboxBounds } from './mailbox.ts';
import type { Reply } from './request.ts';

/**
 * Reads requests for a mailroom, within its bounds. A request for a path that no mailbox has is answered before its
 * body is read.
 */
export function createReader(mailroom: Mailroom): (request: IncomingMessage, response: ServerResponse) => void {
  let underWay = 0;
  return (request, response) => {
    const body = gatherBytes(inboxBounds.body);
    request.on('error', () => request.destroy());
    response.on('close', () => {
      underWay -= body.size;
    });
    if (!mailroom.knows(request.url ?? '')) {
      end(request, response, mailroom.receive(arrivedOf(request, Buffer.alloc(0))));
      return;
    }
    request.on('data', (chunk: Buffer) => {
      if (response.headersSent) {
        return;
      }
      const isRoom = underWay + chunk.length <= inboxBounds.bodies;
      if (isRoom && body.add(chunk)) {
        underWay += chunk.length;
      } else {
        end(request, response, mailroom.refuse(isRoom ? 'too large' : 'too many'));
      }
    });
    request.on('end', () => {
      if (!response.headersSent) {
        send(response, mailroom.receive(arrivedOf(request, Buffer.from(body.bytes()))));
      }
    });
  };
}

/** A request as it arrived. What a trailer holds, such as a signature made while the body was sent, counts as a header. */
const arrivedOf = (request: IncomingMessage, body: Buffer): Parameters<Mailroom['receive']>[0] => ({
  method: request.method ?? '',
  url: request.url ?? '',
  headers: linesOf([...request.rawHeaders, ...request.rawTrailers]),
  body,
});

const linesOf = (raw: readonly string[]): [string, string][] =>
  Array.from({ length: raw.length / 2 }, (_, index) => [raw[2 * index] ?? '', raw[2 * index + 1] ?? '']);

/** Answers without reading the rest of the request, and closes the connection. */
function end(request: IncomingMessage, response: ServerResponse, { status, headers, body }: Reply): void {
  send(response, { status, headers: { ...headers, Connection: 'close' }, body });
  response.once('finish', () => request.destroy());
}

function send(response: ServerResponse, { status, headers, body }: Reply): void {
  response.on('error', () => response.destroy());
  response.writeHead(status, headers);
  response.end(body);
}
