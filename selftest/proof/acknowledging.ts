import type { Transport } from '../../suites/session/transport/transport.ts';

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
