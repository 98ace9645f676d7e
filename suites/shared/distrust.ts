import type { Endpoint } from '../../contract/endpoint.ts';
import { endpointOf } from '../../contract/endpoints.ts';
import type { Finding } from '../../results/verdict.ts';
import { describeAnswer } from '../engine/expect.ts';
import type { Answer } from '../session/answer.ts';
import { callOf } from '../session/call.ts';
import { mainKey } from '../session/keys.ts';
import type { Session } from '../session/session.ts';
import { step } from '../session/step.ts';
import { isPlainRead, read, readWithoutKey } from './reads.ts';
import { neverIssued } from './refusals/never-issued.ts';

/**
 * Why no pass of this run can be trusted; null: nothing speaks against it. A deployment that on no read both accepts a call
 * with a key and refuses the same call without one does not tell a good call from a bad one. The calls are those of the
 * clauses on each read and on missing keys; where the first read shows the difference, none is made here.
 */
export const distrust = step(async (session): Promise<Finding | null> => {
  const { endpoints, probes, name, keyClause } = session.api;
  const others = endpoints.filter((endpoint) => isPlainRead(endpoint) && !probes.includes(endpoint.id));
  let [seen, isOpened] = ['', false];
  for (const endpoint of [...probes.map(endpointOf), ...others]) {
    const [withKey, without] = await bothWays(session, endpoint);
    if (withKey.accepted && (isRefused(without) || isRefused(await withUnknownKey(session, endpoint)))) {
      return null;
    }
    isOpened ||= withKey.accepted;
    seen ||= `${endpoint.id} gets ${describeAnswer(withKey)} with ${mainKey(session).label}, ${describeAnswer(without)} without a key`;
  }
  return {
    message: `Passes cannot be trusted: the deployment answers calls with and without a key alike: ${seen}`,
    cause: 'An empty stub or a proxy in between may answer everything the same way',
    blames: isOpened ? `${name}.auth.missing-key` : keyClause,
  };
});

const bothWays = (session: Session, endpoint: Endpoint): Promise<[Answer, Answer]> =>
  Promise.all([read(session, endpoint.id), readWithoutKey(session, endpoint)]);

/** Where all calls without a key are accepted, keys may be looked at all the same. */
const withUnknownKey = (session: Session, endpoint: Endpoint): Promise<Answer> =>
  session.client.send(callOf(endpoint, neverIssued(session)[0], { purpose: 'refusal' }));

/** Whatever the status: which one it should be is a clause of its own. A limiter refuses good calls too. */
const isRefused = ({ status }: Answer): boolean => status >= 400 && status !== 429;
