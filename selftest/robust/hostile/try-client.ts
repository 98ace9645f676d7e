import { systemClock } from '../../../common/clock.ts';
import { createReference } from '../../../fixtures/reference/deployment.ts';
import { send } from '../../../suites/session/send.ts';
import { socketTransport } from '../../../suites/session/transport/undici-transport.ts';
import { longestShownPart } from '../../unit/common/secrets.ts';
import { testSession } from '../../unit/test-session.ts';
import type { Asked, Behaviour, Good } from './behaviour.ts';
import { type HostileServer, hostileServer } from './server.ts';

/** Gives the answers of a reference deployment in this process. */
export function goodAnswers(reference: ReturnType<typeof createReference>): (asked: Asked) => Promise<Good> {
  return async ({ method, url, headers, body }) => {
    const hasBody = body !== '' && method !== 'GET' && method !== 'HEAD';
    const api = url.startsWith('/v1') ? reference.workspace : reference.developer;
    const response = await api.fetch(
      new Request(`http://reference.test${url}`, {
        method,
        headers: headers.filter(([name]) => !/^(content-length|connection|host|transfer-encoding)$/i.test(name)) as [
          string,
          string,
        ][],
        ...(hasBody ? { body } : {}),
      }),
    );
    const kept = [...response.headers].filter(([name]) => !/^(content-length|content-encoding)$/i.test(name));
    return { status: response.status, headers: kept, body: await response.text() };
  };
}

/** The results of a few calls of the client. */
interface Tried {
  /** The status or kind of failure of each call. */
  readonly outcomes: readonly string[];
  /** What went wrong: exceptions, exceeded bounds, keys that are shown. */
  readonly troubles: readonly string[];
}

const timeoutMs = 400;
/** Far longer than all bounds allow, even on a busy machine. */
const heldUpMs = 60_000;

/** Sends two reads and a write to a server with this behaviour, with the suite's own client. */
export async function tryClient(behave: Behaviour): Promise<Tried> {
  const reference = createReference({ seed: 3 });
  const server: HostileServer = await hostileServer(behave, goodAnswers(reference));
  const secret = reference.settings.SANDBOX_API_KEY ?? '';
  const env = { SANDBOX_API_KEY: secret, TIMEOUT_MS: String(timeoutMs), CLOCK_SPEED: '600' };
  const { transport, close } = socketTransport({ connections: 4, timeoutMs });
  const session = testSession('developer', { origin: server.origin, env, transport, clock: systemClock });
  const [outcomes, troubles]: [string[], string[]] = [[], []];
  try {
    for (const endpoint of ['GET /api/v1/ads/campaigns', 'GET /api/v1/platform/me', 'POST /api/v1/inbox/categorize']) {
      const began = performance.now();
      try {
        const answer = await send(session, endpoint, {
          mode: 'header',
          body: endpoint.startsWith('P') ? {} : undefined,
        });
        outcomes.push(answer.exchange.failure?.kind ?? String(answer.status));
      } catch (error) {
        const { name, message } = error as Error;
        (name === 'Inconclusive' ? outcomes : troubles).push(`${name}: ${message}`.slice(0, 120));
      }
      // Each call has a deadline, is repeated at most once, and waits for at most one 429, so a longer time has no
      // bound.
      if (performance.now() - began > heldUpMs) {
        troubles.push(`${endpoint} took ${Math.round(performance.now() - began)} ms`);
      }
    }
    troubles.push(...(leaks(JSON.stringify(session.evidence.exchanges), secret) ? ['evidence shows the key'] : []));
    troubles.push(...(server.strayed() > 0 ? ['went to another host'] : []));
  } finally {
    await close();
    await server.close();
  }
  return { outcomes, troubles };
}

/** Whether a text shows a part of a key's random characters that is as long as the redactor promises to find. */
export const leaks = (text: string, secret: string): boolean =>
  longestShownPart(text, secret.replace(/^svc_(test|live)_/, '')).length >= 8;
