import type { Endpoint } from '../../../../contract/endpoint.ts';
import { endpointOf } from '../../../../contract/endpoints.ts';
import type { Kind } from '../../../../fixtures/workspace-bodies.ts';
import type { Finding } from '../../../../results/verdict.ts';
import { describeAnswer, findingOn } from '../../../engine/expect.ts';
import type { Answer } from '../../../session/answer.ts';
import { nounOf } from '../../../shared/collections.ts';
import { listing } from '../kinds.ts';
import type { TriedCall } from './arrange.ts';

/** A write that was refused with 401 or 403. */
export interface RefusedWrite extends TriedCall {
  readonly endpoint: Endpoint;
}

/** The finding on a write that got neither 401 nor 403. */
export const notRefused = (answer: Answer, blames: string): Finding =>
  findingOn(answer, {
    message: `Write was refused with neither 401 nor 403: ${describeAnswer(answer)}; what it leaves behind is unknown`,
    expected: '401 or 403',
    actual: describeAnswer(answer),
    blames,
  });

/** The finding on a refused write whose effect an answer shows; `how` says what happened. */
export const tookEffect = (shown: Answer, { endpoint, answer }: RefusedWrite, how: string): Finding =>
  findingOn(shown, {
    message: `Write that was refused with ${answer.status} took effect: ${how} since ${endpoint.id}`,
    expected: 'no effect',
    actual: how,
    place: 'body',
  });

/** The finding on a list that does not show what accepted writes made. */
export const notShown = (answer: Answer, kind: Kind): Finding =>
  findingOn(answer, {
    message: `What refused writes leave behind is unknown: ${listing(kind)} does not show the ${nounOf(kind)} that an accepted one made`,
    blames: endpointOf(listing(kind)).clause,
  });
