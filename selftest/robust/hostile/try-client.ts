import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { systemClock } from '../../../common/clock.ts';
import { send } from '../../../suites/session/session.ts';
import { socketTransport } from '../../../suites/session/transport/undici-transport.ts';
import { listenOnFreePort } from '../../free-port.ts';
import { testSession } from '../../unit/test-session.ts';

/** What a hostile server does on a connection once it has read a request. */
export type Behaviour = (socket: Socket) => void;

/**
 * Sends a read and a write to a server that behaves so, with the suite's own client. Resolves with what came of the read,
 * whether it could be read, and what went wrong: exceptions, failures of an unknown kind, redirects that were followed.
 */
export async function tryClient(behave: Behaviour, timeoutMs: number) {
  const asked: string[] = [];
  // A client may leave before its request is complete.
  const server = createServer((request) => {
    asked.push(request.url ?? '');
    request.on('error', () => {}).on('end', () => behave(request.socket));
    request.resume();
  });
  const origin = `http://127.0.0.1:${await listenOnFreePort(server)}`;
  const { transport, close } = socketTransport(timeoutMs);
  const env = { TIMEOUT_MS: String(timeoutMs), CLOCK_SPEED: '600' };
  const session = testSession('developer', { origin, env, transport, clock: systemClock });
  const troubles: string[] = [];
  for (const endpoint of ['GET /api/v1/ads/campaigns', 'POST /api/v1/inbox/categorize']) {
    const body = endpoint.startsWith('P') ? {} : undefined;
    const trouble = await send(session, endpoint, { mode: 'header', body }).then(
      ({ exchange }) => exchange.failure?.kind === 'other' && exchange.failure.message,
      ({ name, message }: Error) => name !== 'Inconclusive' && `${name}: ${message}`.slice(0, 120),
    );
    troubles.push(...(trouble ? [trouble] : []));
  }
  await close();
  server.close().closeAllConnections();
  troubles.push(...asked.filter((url) => !url.startsWith('/api/v1/')));
  const { response, failure } = session.evidence.exchanges[0] ?? {};
  const comes = failure ? [response?.status, failure.kind].filter(Boolean).join(' ') : response?.status;
  return { comes, isJson: response?.json !== undefined, troubles };
}
