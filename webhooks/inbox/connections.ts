import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../common/clock.ts';

interface Connection {
  readonly address: string;
  /**
   * A running number from when it was opened or last served a known path. The smaller, the longer it has been useless.
   */
  since: number;
  /** How many requests for known paths are under way on it. */
  busy: number;
}

/**
 * How long too many connections are tolerated, ms, so that a new one can send its headers before any is shed; and how
 * many times the bound they may never exceed.
 */
const [graceMs, crowd] = [50, 4];

/**
 * Keeps a server within `most` connections by closing old ones instead of refusing new ones. Of the address with the
 * most idle connections, it closes the one that has gone longest without a request for a known path. So a client that
 * sends slowly, or to other paths, pushes out its own connections, and a delivery to a known path is never cut off.
 * Where requests for known paths keep `most` connections busy, another connection that is closed may have been for a
 * delivery: `onRefusal` is called.
 */
export function shedConnections(
  server: Server,
  most: number,
  clock: Clock,
  onRefusal: () => void,
): { readonly keep: (request: IncomingMessage, response: ServerResponse) => void } {
  const open = new Map<Socket, Connection>();
  let order = 0;

  /** Closes a connection. Returns false if all are busy. */
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
    if (open.size - waiting.length + 1 >= most) {
      onRefusal();
    }
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
      onRefusal();
      return;
    }
    open.set(socket, { address: socket.remoteAddress ?? '', since: (order += 1), busy: 0 });
    socket.once('close', () => open.delete(socket));
    if (open.size > most) {
      void clock.sleep(graceMs).then(() => shedDownTo(most));
    }
  });

  return {
    /** Keeps the connection of a request for a known path open until the answer is sent. */
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
