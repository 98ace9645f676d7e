import { endpointOf } from '../../../contract/endpoints.ts';
import { dataSchemas } from '../../../contract/schemas.ts';
import { judged } from '../../../results/outcome.ts';
import type { Finding } from '../../../results/verdict.ts';
import type { Check } from '../../engine/check.ts';
import { expectAccepted, expectSchema } from '../../engine/expect.ts';
import type { Answer } from '../../session/answer.ts';
import { givenKey } from '../../session/keys.ts';
import { read } from '../../shared/reads.ts';
import { bodyRefused, twinOf } from './twins.ts';

/**
 * A documented GET succeeds; where the document shows the data, it is as shown. Behaviour is identical between sandbox and
 * live (What the service does), so the live answer, which parity reads anyhow, is judged as well.
 */
export const readSucceeds =
  (endpoint: string): Check =>
  async (session) => {
    const live = givenKey(session, 'LIVE_API_KEY');
    const keys = live === undefined ? [{}] : [{}, { key: live }];
    const answers = await Promise.all(keys.map((details) => read(session, endpoint, details)));
    return judged(...answers.flatMap((answer) => readFindings(answer, endpoint)));
  };

function readFindings(answer: Answer, endpoint: string): (Finding | null)[] {
  const { schema } = endpointOf(endpoint);
  if (!answer.accepted || schema === undefined) {
    return [expectAccepted(answer, `${endpoint} does not succeed with ${answer.exchange.keyLabel ?? 'no key'}`)];
  }
  const findings = expectSchema(answer, dataSchemas[schema], '/data');
  return findings.length === 0 ? [null] : findings;
}

/** A documented POST succeeds; a guessed body that gets 400 decides nothing. */
export const postSucceeds =
  (endpoint: string): Check =>
  async (session) => {
    const { answer } = await twinOf(session, endpoint);
    if (answer.status === 400) {
      throw bodyRefused(endpoint, answer, "does not take the suite's body, and the document shows none");
    }
    return judged(expectAccepted(answer));
  };
