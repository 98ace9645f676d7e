import type { Expectation, Probe } from './probe.ts';
import type { Answer } from './send.ts';

type CheckVerdict = 'pass' | 'fail' | 'inconclusive' | 'observed';

/** What a receiver did with a delivery. `neither`: its status is neither a success nor a refusal. */
type Reaction = 'accepted' | 'rejected' | 'neither' | 'server error' | 'no answer';

export interface CheckResult {
  readonly id: string;
  readonly title: string;
  readonly expects: Expectation;
  readonly verdict: CheckVerdict;
  /** null if nothing was sent, or the answer proves nothing. */
  readonly reaction: Reaction | null;
  /** The status of the answer; null if there is none. */
  readonly status: number | null;
  readonly message: string;
}

/** The id of the check over all answers. */
export const serverErrors = 'no-server-error';

const refusals = [400, 401, 403, 406, 409, 415, 422];

/** Whether a status is a receiver's own refusal of a delivery. */
export const isRefusal = (status: number): boolean => refusals.includes(status);

/**
 * Judges one answer; undefined if the probe was not sent. `bracketed`: the valid deliveries before and after it were
 * accepted.
 */
export function judge(
  { id, title, expects }: Pick<Probe, 'id' | 'title' | 'expects'>,
  answer: Answer | undefined,
  bracketed: boolean,
): CheckResult {
  const status = answer?.kind === 'answer' ? answer.status : null;
  const result = (verdict: CheckVerdict, message: string, reaction: Reaction | null = null): CheckResult => ({
    id,
    title,
    expects,
    verdict,
    reaction,
    status,
    message,
  });
  if (answer === undefined) {
    return result('inconclusive', 'Not sent: valid deliveries were no longer accepted');
  }
  if (!bracketed) {
    return result(
      'inconclusive',
      'A valid delivery right before or after it was not accepted, so the answer proves nothing',
    );
  }
  if (status === 429) {
    return result('inconclusive', '429: the receiver limits requests; try again with its limit off');
  }
  const reaction = reactionTo(status);
  const came = answer.kind === 'failure' ? `No answer: ${answer.message}` : String(answer.status);
  const broken = reaction === 'server error' || reaction === 'no answer';
  switch (expects) {
    case 'accept':
      return reaction === 'accepted'
        ? result('pass', came, reaction)
        : result('fail', `${came}: a validly signed delivery is not accepted`, reaction);
    case 'either':
      return result('observed', broken ? `${came}: see ${serverErrors}` : `${came}: ${reaction}`, reaction);
    case 'reject':
      if (broken) {
        return result('inconclusive', `${came}: see ${serverErrors}`, reaction);
      }
      if (reaction === 'rejected') {
        return result('pass', came, reaction);
      }
      return result(
        'fail',
        `${came}: ${reaction === 'accepted' ? 'wrongly accepted' : 'not rejected with 4xx'}`,
        reaction,
      );
  }
}

function reactionTo(status: number | null): Reaction {
  if (status === null) {
    return 'no answer';
  }
  if (status >= 500) {
    return 'server error';
  }
  if (status >= 400) {
    return 'rejected';
  }
  return status >= 200 && status < 300 ? 'accepted' : 'neither';
}
