import type { Endpoint } from '../../contract/endpoint.ts';
import { scopes } from '../../contract/scopes.ts';
import { keyBody } from '../../fixtures/developer-bodies.ts';
import type { Tally } from '../../results/outcome.ts';
import { accepted, cameOf, expectStatus, findingOn } from '../engine/expect.ts';
import { type Answer, type Call, callOf } from '../session/call.ts';
import type { ApiKey } from '../session/key.ts';
import type { Session } from '../session/session.ts';
import { mainKey, marker, type marks } from './calls.ts';
import { exemplar } from './exemplars.ts';
import { createKey, keyName } from './own-keys.ts';
import { standingKey } from './standing-key.ts';

type Mark = Exclude<keyof typeof marks, 'accepted'>;

/**
 * The call of an endpoint as its exemplar was made, with another key: it differs in the key only. Bodies carry the
 * marker of refused calls, so that what a refused write left behind can be found.
 */
export async function callAs(
  session: Session,
  endpoint: Endpoint,
  key: ApiKey | null,
  { mark = 'refused', ...rest }: Partial<Call> & { mark?: Mark } = {},
): Promise<Answer> {
  const purpose = 'refusal' as const;
  if (endpoint.id === 'POST /api/v1/developer/keys') {
    // A deployment that wrongly accepts it makes a key: that one must be found and deleted too, with the main key.
    const body = keyBody(keyName(session, 'refused'), 'sandbox', scopes);
    return (await createKey(session, body, mainKey(session), { key, purpose, ...rest })).answer;
  }
  const id = endpoint.path.includes(':id') ? { id: (await standingKey(session)).id } : {};
  const body = endpoint.body === undefined ? {} : { body: await refusedBody(session, endpoint, mark) };
  return session.client.send(callOf(endpoint, key, { purpose, ...id, ...body, ...rest }));
}

/** The exemplar's body with another marker in it. */
async function refusedBody(session: Session, endpoint: Endpoint, mark: Mark): Promise<unknown> {
  const { body } = await exemplar(session, endpoint.id);
  return JSON.parse(JSON.stringify(body).replaceAll(marker(session, 'accepted'), marker(session, mark))) as unknown;
}

/**
 * Judges one refusal beside its twin, the accepted call that differs in one thing only (the exemplar). A refusal whose twin
 * was not accepted proves nothing: where no body is documented, and the guessed one gets 400, the endpoint stays open.
 */
export function judgeRefusal(
  tally: Tally,
  refusal: { probe: Answer; twin: Answer; endpoint: Endpoint; status: number; what: string; cause?: string },
): void {
  const { probe, twin, endpoint, status, what } = refusal;
  if (accepted(probe) || accepted(twin)) {
    tally.judge(expectStatus(probe, status, what, refusal.cause));
  } else {
    tally.leaveOpen(
      findingOn(probe, {
        message: `${what}: cannot be judged on ${endpoint.id}, whose accepted twin got ${cameOf(twin)}`,
        expected: String(status),
        actual: cameOf(probe),
        blames: endpoint.clause,
      }),
    );
  }
}
