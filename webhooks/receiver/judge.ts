import type { Expectation, Probe } from './probes.ts';
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

/** The valid deliveries before and after a probe. `gone`: the one after it got no answer, however long it was tried. */
export type Bracket = 'accepted' | 'not accepted' | 'gone';

/** The id of the check over all answers. */
const serverErrors = 'no-server-error';

/** Judges one answer; undefined if the probe was not sent. */
export function judge(
  { id, title, expects }: Pick<Probe, 'id' | 'title' | 'expects'>,
  answer: Answer | undefined,
  bracket: Bracket,
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
  const came = answer.kind === 'failure' ? `No answer: ${answer.message}` : String(answer.status);
  if (bracket === 'gone') {
    return result('fail', `${came}, and valid deliveries got no answer after it`, 'no answer');
  }
  if (bracket === 'not accepted') {
    return result(
      'inconclusive',
      'A valid delivery right before or after it was not accepted, so the answer proves nothing',
    );
  }
  if (status === 429) {
    return result('inconclusive', '429: the receiver limits requests; try again with its limit off');
  }
  const reaction = reactionTo(status);
  const broken = reaction === 'server error' || reaction === 'no answer';
  switch (expects) {
    case 'accept':
      return reaction === 'accepted'
        ? result('pass', came, reaction)
        : result('fail', `${came}: a validly signed delivery is not accepted`, reaction);
    case 'either':
      return result('observed', broken ? `${came}: see ${serverErrors}` : `${came}: ${reaction}`, reaction);
    case 'reject':
      return judgeRefusal(result, reaction, came);
  }
}

function judgeRefusal(
  result: (verdict: CheckVerdict, message: string, reaction: Reaction) => CheckResult,
  reaction: Reaction,
  came: string,
): CheckResult {
  switch (reaction) {
    case 'rejected':
      return result('pass', came, reaction);
    case 'server error':
    case 'no answer':
      return result('inconclusive', `${came}: see ${serverErrors}`, reaction);
    case 'accepted':
      // "Accepted for processing, but the processing has not been completed" (RFC 9110, 15.3.3).
      return came === '202'
        ? result(
            'inconclusive',
            '202: taken before it is verified, so the answer does not show whether it is',
            reaction,
          )
        : result('fail', `${came}: wrongly accepted`, reaction);
    case 'neither':
      return result('fail', `${came}: not rejected with 4xx`, reaction);
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

/** What all results say together. */
export interface Summary {
  /** Whether the receiver verifies signatures; null if that cannot be decided. */
  readonly verifies: boolean | null;
  readonly summary: readonly string[];
  readonly checks: readonly CheckResult[];
}

const idsOf = (checks: readonly CheckResult[]): string => checks.map(({ id }) => id).join(', ');

/** Adds the check over all answers, and sums up the results. `first` is the answer to the first valid delivery. */
export function summarise(results: readonly CheckResult[], first: Answer, gone: string | undefined): Summary {
  if (results[0]?.verdict !== 'pass') {
    return { checks: results, ...notAccepted(first) };
  }
  const errors = judgeServerErrors(results, gone);
  const checks = [...results, errors];
  const failed = checks.filter(({ verdict }) => verdict === 'fail');
  const open = checks.filter(({ verdict }) => verdict === 'inconclusive');
  const refusals = results.filter(({ expects, verdict }) => expects === 'reject' && verdict !== 'inconclusive');
  const wronglyAccepted = refusals.filter(({ verdict, reaction }) => verdict === 'fail' && reaction !== 'no answer');
  const refused = failed.filter(({ expects, reaction }) => expects === 'accept' && reaction !== 'no answer');
  const summary: string[] = [];
  if (refusals.length > 0 && wronglyAccepted.length === refusals.length) {
    summary.push('It accepts everything: no signature is verified');
  } else if (wronglyAccepted.length > 0) {
    const count = `${wronglyAccepted.length} of ${refusals.length}`;
    summary.push(`It wrongly accepts ${count} deliveries: ${idsOf(wronglyAccepted)}`);
  }
  if (refused.length > 0) {
    summary.push(`It refuses validly signed deliveries: ${idsOf(refused)}`);
  }
  if (errors.verdict === 'fail') {
    summary.push(errors.message);
  }
  if (failed.length > 0) {
    return { checks, summary, verifies: false };
  }
  if (open.length > 0) {
    const taken = open.filter(({ status }) => status === 202);
    const why =
      taken.length > 0
        ? `it answers 202 before it verifies (${taken.length} deliveries that must be rejected)`
        : idsOf(open);
    return { checks, summary: [`Cannot be decided: ${why}`], verifies: null };
  }
  const verdict = `It verifies: all ${refusals.length} deliveries that must be rejected are, and every valid one is accepted`;
  return { checks, summary: [verdict], verifies: true };
}

/** The check over all answers: even malformed deliveries get an answer, and not a 5xx. `gone`: after which none came. */
function judgeServerErrors(results: readonly CheckResult[], gone: string | undefined): CheckResult {
  const broken = results.filter(
    ({ expects, reaction }) => expects !== 'accept' && (reaction === 'server error' || reaction === 'no answer'),
  );
  const list = broken.map(({ id, status }) => `${id} (${status ?? 'no answer'})`).join(', ');
  const stopped = gone === undefined ? '' : `It stops answering after ${gone}`;
  return {
    id: serverErrors,
    title: 'Deliveries that are malformed or wrongly signed are answered, and not with 5xx',
    expects: 'reject',
    verdict: broken.length === 0 && gone === undefined ? 'pass' : 'fail',
    reaction: broken[0]?.reaction ?? null,
    status: broken[0]?.status ?? null,
    message: stopped || (broken.length === 0 ? '' : `Server error on ${list}`),
  };
}

const refusalStatuses = [400, 401, 403, 406, 409, 415, 422];

/** The summary if the first valid delivery was not accepted, so that nothing can be judged. */
function notAccepted(first: Answer): Omit<Summary, 'checks'> {
  if (first.kind === 'failure') {
    return {
      verifies: null,
      summary: [`It cannot be reached: ${first.message}. Is it running, and is the URL right?`],
    };
  }
  return refusalStatuses.includes(first.status)
    ? {
        verifies: false,
        summary: [
          `It rejects everything: a validly signed delivery got ${first.status}. Check --scheme, --secret-from and --registered-url. If these are right, it may need another payload (--body) or a header (--header)`,
        ],
      }
    : {
        verifies: null,
        summary: [`Cannot be decided: a validly signed delivery got ${first.status}. Is this the receiver's URL?`],
      };
}
