import type { Transport } from '../../suites/session/transport/transport.ts';

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

/** Only the first key that is sent, a given one, may list keys. */
export function listsForFirstKeyOnly(transport: Transport): Transport {
  let first: string | undefined;
  return async (request, bounds) => {
    const [, key] = request.headers.find(([name]) => name === 'X-API-Key') ?? [];
    first ??= key;
    const answer = await transport(request, bounds);
    const isList = request.method === 'GET' && /\/developer\/keys(\?|$)/.test(request.url);
    const error = { code: 'FORBIDDEN', message: 'Ask the owner' };
    const refused = () => ({ ...JSON.parse(String(answer.body)), success: false, data: null, error });
    return isList && answer.status === 200 && key !== first
      ? { ...answer, status: 403, body: Buffer.from(JSON.stringify(refused())) }
      : answer;
  };
}
