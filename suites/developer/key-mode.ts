import { accepted } from '../engine/expect.ts';
import { type Answer, type Call, callOf } from '../session/call.ts';
import type { OpenSession } from '../session/open-session.ts';
import type { Session } from '../session/session.ts';
import { endpoint, mainKey } from './calls.ts';

/** The documented ways of sending a key (Authentication 1 and 2). */
export type DocumentedMode = 'header' | 'query';

/** A documented read with the main key sent that way, once a run. */
export const sentIn = (session: Session, mode: DocumentedMode, id: string): Promise<Answer> =>
  session.once(`${id} with the key in the ${mode}`, () =>
    session.client.send(callOf(endpoint(id), mainKey(session), { mode })),
  );

const first = 'GET /api/v1/ads/health-score';

/**
 * The mode of calls that name none: the recommended one, or the query on a deployment that refuses the key in the header
 * and takes it there: a broken mode is one clause's fault, and the others are judged all the same.
 */
export const usualMode = (session: Session): Promise<DocumentedMode> =>
  session.once('key mode', async () => {
    const { status } = await sentIn(session, 'header', first);
    return status === 401 && accepted(await sentIn(session, 'query', first)) ? 'query' : 'header';
  });

/** A session whose calls are sent in the mode that works, unless they name one. */
export function inWorkingMode(session: OpenSession): OpenSession {
  const { client } = session;
  const moded = async (call: Call): Promise<Call> => ({ ...call, mode: call.mode ?? (await usualMode(session)) });
  return {
    ...session,
    // The permit counts as it goes: a copy would stand still.
    permit: session.permit,
    client: {
      ...client,
      send: async (call) => client.send(await moded(call)),
      once: async (call) => client.once(await moded(call)),
    },
  };
}
