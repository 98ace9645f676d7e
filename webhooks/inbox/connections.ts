import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../common/clock.ts';

interface Connection {
  readonly address: string;
  /** When it last sent something useful, as a running number: the smaller, the longer the receiver has waited. */
  since: number;
  /** Requests for known paths that are under way on it. */
  busy: number;
}

/** How long a newcomer has to send its headers before it may be shed, in milliseconds; and how many may have that moment. */
const [graceMs, crowd] = [50, 4];

/**
 * Keeps a server within `most` connections by shedding old ones, not by refusing new ones: a newcomer is let in, and the
 * connection that has gone longest without a request for a known path is closed, of the address that has most of those. So
 * a client that sends slowly, or to other paths, pushes out its own connections, and a delivery to a known path is never cut.
 */
export function shedConnections(
  server: Server,
  most: number,
  clock: Clock,
): { readonly keep: (request: IncomingMessage, response: ServerResponse) => void } {
  const open = new Map<Socket, Connection>();
  let order = 0;

  /** False where every connection is busy. */
  function shedOne(): boolean {
    const waiting = [...open].filter(([, { busy }]) => busy === 0);
    const byAddress = [...Map.groupBy(waiting, ([, { address }]) => address).values()];
    const [largest = []] = byAddress.sort((a, b) => b.length - a.length);
    const [longest] = largest.sort(([, a], [, b]) => a.since - b.since);
    if (longest === undefined) {
      return false;
    }
    open.delete(longest[0]);
    longest[0].destroy();
    return true;
  }

  function shedDownTo(bound: number): boolean {
    while (open.size > bound) {
      if (!shedOne()) {
        return false;
      }
    }
    return true;
  }

  server.on('connection', (socket) => {
    if (!shedDownTo(crowd * most - 1)) {
      socket.destroy();
      return;
    }
    open.set(socket, { address: socket.remoteAddress ?? '', since: (order += 1), busy: 0 });
    socket.once('close', () => open.delete(socket));
    if (open.size > most) {
      void clock.sleep(graceMs).then(() => shedDownTo(most));
    }
  });

  return {
    /** Marks a request for a known path: its connection stays until the answer is out. */
    keep({ socket }, response) {
      const connection = open.get(socket);
      if (connection !== undefined) {
        connection.busy += 1;
        response.once('close', () => {
          connection.busy -= 1;
          connection.since = order += 1;
        });
      }
    },
  };
}
