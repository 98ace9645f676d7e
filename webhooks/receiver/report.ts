import { type CheckResult, isRefusal, serverErrors } from './judge.ts';
import type { Answer } from './send.ts';

export interface ReceiverReport {
  readonly format: 1;
  readonly url: string;
  readonly scheme: string;
  /** Whether the receiver verifies signatures; null if that cannot be decided. */
  readonly verifies: boolean | null;
  readonly summary: readonly string[];
  readonly checks: readonly CheckResult[];
  readonly requests: number;
  readonly notTested: readonly string[];
}

/** What cannot be tested from outside. */
export const notTested: readonly string[] = [
  'constant-time comparison: not tested (it cannot be judged over a network)',
  'idempotency: not tested (its effect cannot be seen from outside)',
];

type Summary = Pick<ReceiverReport, 'verifies' | 'summary' | 'checks'>;

const idsOf = (checks: readonly CheckResult[]): string => checks.map(({ id }) => id).join(', ');

/** Adds the check over all answers, and sums up the results. `first` is the answer to the first valid delivery. */
export function summarise(results: readonly CheckResult[], first: Answer): Summary {
  if (results[0]?.verdict !== 'pass') {
    return { checks: results, ...notAccepted(first) };
  }
  const serverErrorCheck = judgeServerErrors(results);
  const checks = [...results, serverErrorCheck];
  const failed = checks.filter(({ verdict }) => verdict === 'fail');
  const open = checks.filter(({ verdict }) => verdict === 'inconclusive');
  const rejects = results.filter(({ expects, verdict }) => expects === 'reject' && verdict !== 'inconclusive');
  const wronglyAccepted = rejects.filter(({ verdict }) => verdict === 'fail');
  const refused = failed.filter(({ expects }) => expects === 'accept');
  const summary: string[] = [];
  if (rejects.length > 0 && wronglyAccepted.length === rejects.length) {
    summary.push('It accepts everything: no signature is verified');
  } else if (wronglyAccepted.length > 0) {
    summary.push(
      `It wrongly accepts ${wronglyAccepted.length} of ${rejects.length} deliveries: ${idsOf(wronglyAccepted)}`,
    );
  }
  if (refused.length > 0) {
    summary.push(`It refuses validly signed deliveries: ${idsOf(refused)}`);
  }
  if (serverErrorCheck.verdict === 'fail') {
    summary.push(serverErrorCheck.message);
  }
  if (failed.length > 0) {
    return { checks, summary, verifies: false };
  }
  if (open.length > 0) {
    return { checks, summary: [`Cannot be decided: ${idsOf(open)}`], verifies: null };
  }
  const verdict = `It verifies: all ${rejects.length} deliveries that must be rejected are, and every valid one is accepted`;
  return { checks, summary: [verdict], verifies: true };
}

/** The check over all answers: even malformed deliveries get an answer, and not a 5xx. */
function judgeServerErrors(results: readonly CheckResult[]): CheckResult {
  const broken = results.filter(
    ({ expects, reaction }) => expects !== 'accept' && (reaction === 'server error' || reaction === 'no answer'),
  );
  const list = broken.map(({ id, status }) => `${id} (${status ?? 'no answer'})`).join(', ');
  return {
    id: serverErrors,
    title: 'Deliveries that are malformed or wrongly signed are answered, and not with 5xx',
    expects: 'reject',
    verdict: broken.length === 0 ? 'pass' : 'fail',
    reaction: broken[0]?.reaction ?? null,
    status: broken[0]?.status ?? null,
    message: broken.length === 0 ? '' : `Server error on ${list}`,
  };
}

/** The summary if the first valid delivery was not accepted, so that nothing can be judged. */
function notAccepted(first: Answer): Omit<Summary, 'checks'> {
  if (first.kind === 'failure') {
    return {
      verifies: null,
      summary: [`It cannot be reached: ${first.message}. Is it running, and is the URL right?`],
    };
  }
  return isRefusal(first.status)
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
