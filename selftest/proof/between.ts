import type { Clock } from '../../common/clock.ts';
import type { Transport } from '../../suites/session/transport/transport.ts';

/** A network on which each call takes `ms` milliseconds longer. */
export const slowedBy =
  (ms: number) =>
  (transport: Transport, clock: Clock): Transport =>
  async (request, bounds) => {
    await clock.sleep(ms);
    return transport(request, bounds);
  };

/** An account that is full of keys: each well-formed request for another key gets 403. */
export const full =
  (message: string) =>
  (transport: Transport): Transport =>
  async (request, bounds) => {
    if (request.method !== 'POST' || !request.url.includes('/developer/keys') || request.url.includes('/rotate')) {
      return transport(request, bounds);
    }
    const refused = await transport({ ...request, body: '{}' }, bounds);
    const body = JSON.parse(String(refused.body));
    const isKnown = refused.status === 400;
    return isKnown
      ? {
          ...refused,
          status: 403,
          body: Buffer.from(JSON.stringify({ ...body, error: { code: 'FORBIDDEN', message } })),
        }
      : refused;
  };

/** A deployment that answers creations of a path with nothing but a success, and lists nothing there. */
export const acknowledging =
  (path: string) =>
  (transport: Transport): Transport =>
  async (request, bounds) => {
    const answer = await transport(request, bounds);
    if (answer.status >= 300 || new URL(request.url).pathname !== path) {
      return answer;
    }
    const data = request.method === 'POST' ? { accepted: true } : { rows: [], total: 0 };
    const body: object = JSON.parse(answer.body.toString());
    return { ...answer, body: Buffer.from(JSON.stringify({ ...body, data })) };
  };
