import type { Endpoint } from '../../../contract/endpoint.ts';
import { endpointOf } from '../../../contract/endpoints.ts';
import type { Finding } from '../../../results/verdict.ts';
import { describeAnswer } from '../../engine/describe-answer.ts';
import { isPlainRead, read, readWithoutKey } from '../../records/reads.ts';
import type { Answer } from '../../session/answer.ts';
import { callOf } from '../../session/call.ts';
import { mainKey } from '../../session/keys.ts';
import type { Session } from '../../session/session.ts';
import { step } from '../../session/step.ts';
import { neverIssuedKeys } from './never-issued.ts';

/**
 * Why no pass of this run can be trusted; null: passes can be trusted. They cannot where no read both accepts a call
 * with a key and refuses the same call without one, or with an unknown one. The reads are shared with the clauses on
 * each read and on missing keys, and end with the first that shows the difference.
 */
export const distrust = step(async (session): Promise<Finding | null> => {
  const { endpoints, probes, name, keyClause } = session.api;
  const others = endpoints.filter((endpoint) => isPlainRead(endpoint) && !probes.includes(endpoint.id));
  let example = '';
  let isAnyAccepted = false;
  for (const endpoint of [...probes.map(endpointOf), ...others]) {
    const [withKey, without] = await Promise.all([read(session, endpoint.id), readWithoutKey(session, endpoint)]);
    // A deployment that accepts all calls without a key may check keys all the same.
    if (withKey.accepted && (isRefused(without) || isRefused(await withUnknownKey(session, endpoint)))) {
      return null;
    }
    isAnyAccepted ||= withKey.accepted;
    example ||= `${endpoint.id} gets ${describeAnswer(withKey)} with ${mainKey(session).label}, ${describeAnswer(without)} without a key`;
  }
  return {
    message: `Passes cannot be trusted: the deployment answers calls with and without a key the same way: ${example}`,
    cause: 'An empty stub or a proxy in between may answer everything the same way',
    blames: isAnyAccepted ? `${name}.auth.missing-key` : keyClause,
  };
});

const withUnknownKey = (session: Session, endpoint: Endpoint): Promise<Answer> =>
  session.client.send(callOf(endpoint, neverIssuedKeys(session)[0], { purpose: 'refusal' }));

/** Any 4xx or 5xx but 429, which good calls get too. Whether it is the documented status is for other clauses. */
const isRefused = ({ status }: Answer): boolean => status >= 400 && status !== 429;
