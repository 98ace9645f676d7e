import { systemClock } from '../../../common/clock.ts';
import { createReference } from '../../../fixtures/reference/deployment.ts';
import { send } from '../../../suites/session/session.ts';
import { socketTransport } from '../../../suites/session/transport/undici-transport.ts';
import { longestShownPart } from '../../unit/common/secrets.ts';
import { testSession } from '../../unit/test-session.ts';
import type { Behaviour } from './behaviour.ts';
import { hostileServer } from './server.ts';

/**
 * Sends two reads and a write to a server with this behaviour, with the suite's own client. Resolves with what came of the
 * first, whether it could be read, and what went wrong: exceptions, failures of an unknown kind, keys that are shown.
 */
export async function tryClient(behave: Behaviour, timeoutMs = 400) {
  const reference = createReference({ seed: 3 });
  const server = await hostileServer(behave, reference);
  const secret = reference.settings.SANDBOX_API_KEY ?? '';
  const env = { SANDBOX_API_KEY: secret, TIMEOUT_MS: String(timeoutMs), CLOCK_SPEED: '600' };
  const { transport, close } = socketTransport({ connections: 4, timeoutMs });
  const session = testSession('developer', { origin: server.origin, env, transport, clock: systemClock });
  const troubles: string[] = [];
  try {
    for (const endpoint of ['GET /api/v1/ads/campaigns', 'GET /api/v1/platform/me', 'POST /api/v1/inbox/categorize']) {
      const body = endpoint.startsWith('P') ? {} : undefined;
      const trouble = await send(session, endpoint, { mode: 'header', body }).then(
        ({ exchange }) => exchange.failure?.kind === 'other' && exchange.failure.message,
        ({ name, message }: Error) => name !== 'Inconclusive' && `${name}: ${message}`.slice(0, 120),
      );
      troubles.push(...(trouble ? [trouble] : []));
    }
    troubles.push(...(leaks(JSON.stringify(session.evidence.exchanges), secret) ? ['evidence shows the key'] : []));
    troubles.push(...(server.strayed() > 0 ? ['went to another host'] : []));
  } finally {
    await close();
    await server.close();
  }
  const { response, failure } = session.evidence.exchanges[0] ?? {};
  const comes = failure ? [response?.status, failure.kind].filter(Boolean).join(' ') : response?.status;
  return { comes, isJson: response?.json !== undefined, troubles };
}

/** Whether a text shows a part of a key's random characters that is as long as the redactor promises to find. */
export const leaks = (text: string, secret: string): boolean =>
  longestShownPart(text, secret.replace(/^svc_(test|live)_/, '')).length >= 8;
