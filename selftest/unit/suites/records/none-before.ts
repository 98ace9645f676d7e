import type { Transport } from '../../../../suites/session/transport/transport.ts';

/** A deployment whose lists are empty until a record of theirs was created. */
export function noneBefore(transport: Transport): Transport {
  const created = new Set<string>();
  return async (request, bounds) => {
    const { pathname } = new URL(request.url);
    const isList = request.method === 'GET' && /(agents|leads|bookings|webhooks|keys)$/.test(pathname);
    if (request.method === 'POST') {
      created.add(pathname);
    }
    const answer = await transport(request, bounds);
    return isList && !created.has(pathname) ? { ...answer, status: 200, body: Buffer.from('{"rows": []}') } : answer;
  };
}
