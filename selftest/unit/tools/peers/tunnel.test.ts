import { connect, createServer, type Server } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openTunnel } from '../../../../tools/peers/tunnel.ts';
import { listenOnFreePort } from '../../../free-port.ts';

/** A server that echoes every byte. */
const echo = (): Server => createServer((socket) => socket.pipe(socket));

test('bytes pass unchanged, and each request is counted once, however it is split', async () => {
  const server = echo();
  const tunnel = await openTunnel(await listenOnFreePort(server));
  const socket = connect(tunnel.port, '127.0.0.1');
  onTestFinished(async () => {
    socket.destroy();
    await tunnel.close();
    server.close();
  });
  const parts = [
    'GET /v1/agents HT',
    'TP/1.1\r\nHost: a\r\n\r\n',
    'POST /v1/agents HTTP/1.1\r\nContent-Length: 28\r\n\r\n{"text":"GET / HTTP/1.1 no"}',
    'DELETE /v1/agents/1 HTTP/1.1\r\n\r\n',
  ];
  const whole = parts.join('');
  let back = '';
  const complete = new Promise<void>((resolve) => {
    socket.setEncoding('utf8').on('data', (text: string) => {
      back += text;
      if (back.length === whole.length) {
        resolve();
      }
    });
  });
  for (const part of parts) {
    socket.write(part);
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  await complete;
  expect(back).toBe(whole);
  expect(tunnel.requests()).toBe(3);
});
