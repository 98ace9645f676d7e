import { callOf, type Answer, type Call } from '../kit/call.ts';
import { accepted } from '../kit/expect.ts';
import type { OpenSession } from '../kit/open-session.ts';
import type { Session } from '../kit/session.ts';
import { Skipped } from '../kit/stop.ts';
import { endpoint, mainKey } from './calls.ts';

/** The documented ways of sending a key (Authentication 1 and 2). */
export type DocumentedMode = 'header' | 'query';

/** The first call of a run, and the mode that the others use. */
interface Opening {
  readonly mode: DocumentedMode;
  /** The answer in header mode. */
  readonly header: Answer;
}

const first = 'GET /api/v1/ads/health-score';

/**
 * The recommended mode, or query mode on a deployment that refuses the key in the header and takes it in the query: a
 * broken mode is one clause's fault, and the others are judged all the same.
 */
export const opening = (session: Session): Promise<Opening> => session.once('key mode', async () => {
  const send = (mode: DocumentedMode): Promise<Answer> => session.client.send(callOf(endpoint(first), mainKey(session), { mode }));
  const header = await send('header');
  return { header, mode: header.status === 401 && accepted(await send('query')) ? 'query' : 'header' };
});

/** A session whose calls are sent in the mode that works, unless they name one. */
export function inWorkingMode(session: OpenSession): OpenSession {
  const { client } = session;
  const moded = async (call: Call): Promise<Call> => {
    if (call.key === null || call.mode !== undefined || call.queryKey !== undefined) return call;
    return { ...call, mode: await usualMode(session) };
  };
  return {
    ...session,
    // The permit counts as it goes: a copy would stand still.
    permit: session.permit,
    client: { ...client, send: async (call) => client.send(await moded(call)), once: async (call) => client.once(await moded(call)) },
  };
}

/** The mode of calls that name none; without a key that is given, no mode can be found out. */
export async function usualMode(session: Session): Promise<DocumentedMode> {
  try {
    return (await opening(session)).mode;
  } catch (error) {
    if (error instanceof Skipped) return 'header';
    throw error;
  }
}
