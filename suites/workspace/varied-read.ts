import { endpointOf } from '../../contract/endpoints.ts';
import type { Answer } from '../session/answer.ts';
import type { CallDetails } from '../session/call.ts';
import { mainKey } from '../session/keys.ts';
import { send } from '../session/send.ts';
import type { Session } from '../session/session.ts';
import { step } from '../session/step.ts';
import { listing } from './kinds.ts';

// How clients read lists differently from each other.

type Variation = Pick<CallDetails, 'headers' | 'query'>;

export const withLimit: Variation = { query: { limit: 1 } };
export const withoutType: Variation = { headers: { 'Content-Type': '' } };
/** With the header's name in lower case, as HTTP/2 and many clients send it. */
export const inLowerCase = (session: Session): Variation => ({
  headers: { Authorization: '', authorization: `Bearer ${mainKey(session).secret}` },
});

/** The leads, read in all these ways at once: where that is accepted, each of them is, and no call for each is needed. */
const readInAllWays = step(async (session): Promise<Answer> => {
  await session.api.prepareRead(session, endpointOf(listing('leads')));
  const headers = { ...withoutType.headers, ...inLowerCase(session).headers };
  return send(session, listing('leads'), { ...withLimit, headers, purpose: 'off-document' });
});

/** The answer to that read or, where it was not accepted, to one of a list in one of these ways alone. */
export async function readVaried(session: Session, variation: Variation, list = listing('leads')): Promise<Answer> {
  const all = await readInAllWays(session);
  return all.accepted ? all : send(session, list, { ...variation, purpose: 'off-document' });
}
