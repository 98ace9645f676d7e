import type { Expectation, Probe } from './probe.ts';
import type { Answer } from './send.ts';

export type CheckVerdict = 'pass' | 'fail' | 'inconclusive' | 'observed';

export interface CheckResult {
  readonly id: string;
  readonly title: string;
  readonly expects: Expectation;
  readonly verdict: CheckVerdict;
  /** The answer's status; null where there was none. */
  readonly status: number | null;
  readonly message: string;
}

export interface ReceiverReport {
  readonly format: 1;
  readonly url: string;
  readonly scheme: string;
  /** True: it verifies. False: it does not. Null: it cannot be told. */
  readonly verifies: boolean | null;
  readonly summary: readonly string[];
  readonly checks: readonly CheckResult[];
  readonly requests: number;
  readonly notTested: readonly string[];
}

/** What no remote check can decide. */
export const notTested: readonly string[] = [
  'constant-time comparison: not tested (it cannot be judged over a network)',
  'one effect per id: not tested (what a receiver does with a second delivery of one id is not visible; replays are accepted by nearly all)',
];

const serverErrors = 'no-server-error';

/** Judges one answer. `bracketed`: the valid deliveries before and after it were accepted. */
export function judge(
  { id, title, expects }: Pick<Probe, 'id' | 'title' | 'expects'>,
  answer: Answer | undefined,
  bracketed: boolean,
): CheckResult {
  const status = answer?.kind === 'answer' ? answer.status : null;
  const result = (verdict: CheckVerdict, message: string): CheckResult => ({
    id,
    title,
    expects,
    verdict,
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
  const said = status === null ? `No answer: ${answer.kind === 'failure' ? answer.message : ''}` : String(status);
  const kind =
    status === null
      ? 'broken'
      : status >= 500
        ? 'broken'
        : status >= 200 && status < 300
          ? 'accepted'
          : status >= 400
            ? 'rejected'
            : 'neither';
  if (expects === 'accept') {
    return kind === 'accepted'
      ? result('pass', said)
      : result('fail', `${said}: a validly signed delivery is not accepted`);
  }
  if (kind === 'broken') {
    return result(expects === 'either' ? 'observed' : 'inconclusive', `${said}: see ${serverErrors}`);
  }
  if (expects === 'either') {
    return result('observed', `${said}: ${kind === 'neither' ? 'neither accepted nor rejected' : kind}`);
  }
  if (kind === 'rejected') {
    return result('pass', said);
  }
  return result('fail', kind === 'accepted' ? `${said}: wrongly accepted` : `${said}: not rejected with 4xx`);
}

/** The check over all answers: malformed input is answered, and not with 5xx. */
function judgeServerErrors(results: readonly CheckResult[]): CheckResult {
  const broken = results.filter(
    ({ expects, message }) => expects !== 'accept' && message.endsWith(`see ${serverErrors}`),
  );
  const list = broken.map(({ id, status }) => `${id} (${status ?? 'no answer'})`).join(', ');
  return {
    id: serverErrors,
    title: 'Deliveries that are malformed or wrongly signed are answered, and not with 5xx',
    expects: 'reject',
    verdict: broken.length === 0 ? 'pass' : 'fail',
    status: broken[0]?.status ?? null,
    message: broken.length === 0 ? '' : `Server error on ${list}`,
  };
}

/** Adds the check over all and says what the results come to. */
export function summarise(
  results: readonly CheckResult[],
  first: Answer,
): Pick<ReceiverReport, 'verifies' | 'summary' | 'checks'> {
  if (results[0]?.verdict !== 'pass') {
    return notAccepted(results, first);
  }
  const checks = [...results, judgeServerErrors(results)];
  const failed = checks.filter(({ verdict }) => verdict === 'fail');
  const open = checks.filter(({ verdict }) => verdict === 'inconclusive');
  const rejects = checks.filter(
    ({ expects, id, verdict }) => expects === 'reject' && id !== serverErrors && verdict !== 'inconclusive',
  );
  const wrongly = rejects.filter(({ verdict }) => verdict === 'fail');
  const summary: string[] = [];
  if (rejects.length > 0 && wrongly.length === rejects.length) {
    summary.push('It accepts everything: no signature is verified');
  } else if (wrongly.length > 0) {
    summary.push(
      `It wrongly accepts ${wrongly.length} of ${rejects.length}: ${wrongly.map(({ id }) => id).join(', ')}`,
    );
  }
  const refused = failed.filter(({ expects }) => expects === 'accept');
  if (refused.length > 0) {
    summary.push(`It refuses what is validly signed: ${refused.map(({ id }) => id).join(', ')}`);
  }
  const crash = checks.at(-1);
  if (crash?.verdict === 'fail') {
    summary.push(crash.message);
  }
  if (failed.length === 0 && open.length > 0) {
    summary.push(`It cannot be told: ${open.map(({ id }) => id).join(', ')} could not be decided`);
  }
  if (summary.length === 0) {
    summary.push(
      `It verifies: all ${rejects.length} deliveries that must be rejected are, and every valid one is accepted`,
    );
  }
  return { checks, summary, verifies: failed.length > 0 ? false : open.length > 0 ? null : true };
}

/** Without an accepted control nothing can be judged. Refusing by 400, 401, 403 or 422 is a receiver's own word. */
function notAccepted(
  results: readonly CheckResult[],
  first: Answer,
): Pick<ReceiverReport, 'verifies' | 'summary' | 'checks'> {
  if (first.kind === 'failure') {
    return {
      verifies: null,
      checks: results,
      summary: [`It cannot be reached: ${first.message}. Is it running, and is the URL right?`],
    };
  }
  const { status } = first;
  const refuses = [400, 401, 403, 406, 409, 415, 422].includes(status);
  return refuses
    ? {
        verifies: false,
        checks: results,
        summary: [
          `It rejects everything: a validly signed delivery gets ${status}. Scheme, secret or registered URL may be others than the receiver's (--scheme, --secret-from, --registered-url), or it wants another payload (--body) or header (--header)`,
        ],
      }
    : {
        verifies: null,
        checks: results,
        summary: [`It cannot be told: a validly signed delivery gets ${status}. Is this the receiver's URL?`],
      };
}
