import { expect, test } from 'vitest';
import { systemClock } from '../../../../../common/clock.ts';
import { socketTransport } from '../../../../../suites/session/transport/undici-transport.ts';
import { testSession } from '../../../test-session.ts';
import { hostileConnections } from './hostile-connections.ts';
import { hostileServer } from './hostile-servers.ts';
import { oddAnswers } from './odd-answers.ts';

// Concurrently, since some wait for a time limit.
test.concurrent.for(Object.entries({ ...hostileConnections, ...oddAnswers }))(
  'a server that %s',
  async ([, [behave, comes, isJson]]) => {
    const server = await hostileServer(behave);
    // Only behaviours that should reach the time limit get a short one.
    const timeoutMs = comes === 'timeout' ? 400 : 30_000;
    const { transport, close } = socketTransport({ connections: 4, timeoutMs });
    const session = testSession('developer', {
      origin: server.origin,
      clock: systemClock,
      transport,
      env: { TIMEOUT_MS: String(timeoutMs) },
    });
    try {
      const answer = await session.client.send({ method: 'GET', path: '/api/v1/ads/campaigns', key: null });
      if (typeof comes === 'number') {
        expect(answer.status).toBe(comes);
      } else {
        const { failure, response } = answer.exchange;
        expect([answer.status, response === null ? failure?.kind : `${response.status} ${failure?.kind}`]).toEqual([
          0,
          comes,
        ]);
      }
      if (isJson !== undefined || typeof comes === 'string') {
        expect(answer.json !== undefined).toBe(isJson ?? false);
      }
      if (answer.json === undefined) {
        expect(answer.accepted).toBe(false);
      }
      expect(session.evidence.exchanges.at(-1)).toEqual(answer.exchange);
    } finally {
      await close();
      await server.close();
    }
  },
);
