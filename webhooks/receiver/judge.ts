import type { Expectation, Probe } from './probes.ts';
import type { Answer } from './send.ts';

/** What a receiver did with a delivery. `neither`: its status is neither a success nor a refusal. */
type Reaction = 'accepted' | 'rejected' | 'neither' | 'server error' | 'no answer';

export interface CheckResult {
  readonly id: string;
  readonly title: string;
  readonly expects: Expectation;
  readonly verdict: 'pass' | 'fail' | 'inconclusive' | 'observed';
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
  const result = (verdict: CheckResult['verdict'], message: string, reaction: Reaction | null = null): CheckResult => ({
    ...{ id, title, expects, verdict, reaction, status, message },
  });
  if (answer === undefined) {
    return result('inconclusive', 'Not sent: valid deliveries were no longer accepted');
  }
  const came = answer.kind === 'failure' ? `No answer: ${answer.message}` : String(answer.status);
  if (bracket === 'gone') {
    return result('fail', `${came}, and valid deliveries got no answer after it`, 'no answer');
  }
  if (bracket === 'not accepted') {
    return result('inconclusive', 'A valid delivery beside it was not accepted, so the answer proves nothing');
  }
  if (status === 429) {
    return result('inconclusive', '429: the receiver limits requests; try again with its limit off');
  }
  const reaction = reactionTo(status);
  const isRight = reaction === (expects === 'accept' ? 'accepted' : 'rejected');
  if (isRight && expects !== 'either') {
    return result('pass', came, reaction);
  }
  if (expects === 'accept') {
    return result('fail', `${came}: a validly signed delivery is not accepted`, reaction);
  }
  if (reaction === 'server error' || reaction === 'no answer') {
    return result(expects === 'either' ? 'observed' : 'inconclusive', `${came}: see ${serverErrors}`, reaction);
  }
  if (expects === 'either') {
    return result('observed', `${came}: ${reaction}`, reaction);
  }
  if (status === 202) {
    // "Accepted for processing, but the processing has not been completed" (RFC 9110, 15.3.3).
    return result('inconclusive', '202: taken before it is verified, so nothing shows whether it is', reaction);
  }
  return result('fail', `${came}: ${reaction === 'accepted' ? 'wrongly accepted' : 'not rejected with 4xx'}`, reaction);
}

function reactionTo(status: number | null): Reaction {
  const reactions: readonly Reaction[] = ['no answer', 'neither', 'accepted', 'neither', 'rejected'];
  return reactions[Math.floor((status ?? 0) / 100)] ?? 'server error';
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
  const refusals = results.filter(({ expects, verdict }) => expects === 'reject' && verdict !== 'inconclusive');
  const failed = results.filter(({ verdict, reaction }) => verdict === 'fail' && reaction !== 'no answer');
  const taken = failed.filter(({ expects }) => expects === 'reject');
  const refused = failed.filter(({ expects }) => expects === 'accept');
  if (failed.length > 0 || errors.verdict === 'fail') {
    const says =
      taken.length === refusals.length
        ? 'It accepts everything: no signature is verified'
        : `It wrongly accepts ${taken.length} of ${refusals.length} deliveries: ${idsOf(taken)}`;
    const summary = [
      ...(taken.length > 0 ? [says] : []),
      ...(refused.length > 0 ? [`It refuses validly signed deliveries: ${idsOf(refused)}`] : []),
      ...(errors.verdict === 'fail' ? [errors.message] : []),
    ];
    return { checks, summary, verifies: false };
  }
  const open = checks.filter(({ verdict }) => verdict === 'inconclusive');
  const early = open.filter(({ status }) => status === 202).length;
  if (open.length > 0) {
    const why =
      early > 0 ? `it answers 202 before it verifies (${early} deliveries that must be rejected)` : idsOf(open);
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
  const isFine = broken.length === 0 && gone === undefined;
  return {
    id: serverErrors,
    title: 'Deliveries that are malformed or wrongly signed are answered, and not with 5xx',
    expects: 'reject',
    verdict: isFine ? 'pass' : 'fail',
    reaction: broken[0]?.reaction ?? null,
    status: broken[0]?.status ?? null,
    message: isFine ? '' : gone === undefined ? `Server error on ${list}` : `It stops answering after ${gone}`,
  };
}

const refusalStatuses = [400, 401, 403, 406, 409, 415, 422];

/** The summary if the first valid delivery was not accepted, so that nothing can be judged. */
function notAccepted(first: Answer): Omit<Summary, 'checks'> {
  if (first.kind === 'failure') {
    const summary = [`It cannot be reached: ${first.message}. Is it running, and is the URL right?`];
    return { verifies: null, summary };
  }
  if (!refusalStatuses.includes(first.status)) {
    const summary = [`Cannot be decided: a validly signed delivery got ${first.status}. Is this the receiver's URL?`];
    return { verifies: null, summary };
  }
  const advice =
    'Check --scheme, --secret-from and --registered-url. If these are right, it may need another payload (--body) or a header (--header)';
  return {
    verifies: false,
    summary: [`It rejects everything: a validly signed delivery got ${first.status}. ${advice}`],
  };
}
