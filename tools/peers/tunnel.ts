import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';

/** A port that forwards everything, and counts requests. */
interface Tunnel {
  readonly port: number;
  requests(): number;
  close(): Promise<void>;
}

const requestLine = /[A-Z]+ \S+ HTTP\/1\.[01]\r?$/;

/** Opens a tunnel to a port of this machine. It counts the requests of every tool in the same way. */
export async function openTunnel(to: number): Promise<Tunnel> {
  const open = new Set<Socket>();
  let requests = 0;
  const server = createServer((client) => {
    const upstream = dial(to, '127.0.0.1');
    let begun = '';
    client.on('data', (chunk: Buffer) => {
      const lines = (begun + chunk.toString('latin1')).split('\n');
      begun = lines.pop() ?? '';
      requests += lines.filter((line) => requestLine.test(line)).length;
    });
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => {
        client.destroy();
        upstream.destroy();
      });
      socket.on('close', () => open.delete(socket));
    }
    client.pipe(upstream).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    requests: () => requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        for (const socket of open) {
          socket.destroy();
        }
      }),
  };
}
