import { Inconclusive } from '../../../results/stop.ts';
import { describeAnswer } from '../../engine/describe-answer.ts';
import { findingOn } from '../../engine/expect.ts';
import type { Answer } from '../../session/answer.ts';

/** Whether a deployment refused the body: with 400, as documented, or with 422. */
export const refusesBody = ({ status }: Pick<Answer, 'status'>): boolean => status === 400 || status === 422;

/** What a finding on refused bodies says besides the first refusal. */
interface Refused {
  readonly says?: string;
  readonly advice?: string;
  /** The refusal of the body that was changed the furthest as refusals asked. */
  readonly furthest?: Answer | undefined;
}

/**
 * The error where a guessed body was refused: with the deployment's own words, and what would help: a BODIES entry if
 * nothing else.
 */
export const bodyRefused = (
  endpoint: string,
  answer: Answer,
  {
    says = 'rejected every body the suite tried; the document shows none',
    advice = `Add a working body for ${endpoint} to your BODIES file: {"${endpoint}": {…}}`,
    furthest,
  }: Refused = {},
): Inconclusive => {
  const came = describeAnswer(answer);
  const later = furthest === undefined ? came : describeAnswer(furthest);
  const message = `${endpoint} ${says}: ${came}${later === came ? '' : `; after following the error messages: ${later}`}`;
  return new Inconclusive(
    findingOn(answer, { message, expected: 'a body that the deployment accepts', actual: came, advice }),
  );
};
