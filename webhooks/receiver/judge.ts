import type { Expectation, Probe } from './probes.ts';

/**
 * The answer to a request: its status, how its body begins or where it leads, and who gave it in place of the receiver;
 * or the reason why there is none.
 */
export type Answer =
  | { readonly kind: 'answer'; readonly status: number; readonly text: string; readonly who: string | undefined }
  | { readonly kind: 'failure'; readonly message: string };

export const isAccepted = (answer: Answer): boolean =>
  answer.kind === 'answer' && answer.status >= 200 && answer.status < 300;

/** `403 of Cloudflare's bot protection, <title>Just a moment`. */
function said(answer: Answer): string {
  if (answer.kind === 'failure') {
    return `no answer (${answer.message})`;
  }
  const { status, text, who } = answer;
  return `${status}${who === undefined ? '' : ` of ${who}`}${text === '' ? '' : `, ${text}`}`;
}

/** What a receiver did with a delivery. `neither`: no answer, or one that is neither a success nor a refusal. */
type Reaction = 'accepted' | 'rejected' | 'neither';

export interface CheckResult {
  readonly id: string;
  readonly title: string;
  readonly expects: Expectation;
  readonly verdict: 'pass' | 'fail' | 'inconclusive';
  /** null if the answer proves nothing. */
  readonly reaction: Reaction | null;
  /** The status of the answer; null if there is none. */
  readonly status: number | null;
  readonly message: string;
}

const limits = 'the receiver limits requests; try again with its limit off';

/** Judges one answer. `after`: that to the valid delivery behind it; the one before it was accepted. */
export function judge(
  { id, title, expects }: Pick<Probe, 'id' | 'title' | 'expects'>,
  answer: Answer,
  after?: Answer,
): CheckResult {
  const status = answer.kind === 'answer' ? answer.status : null;
  const result = (verdict: CheckResult['verdict'], message: string, reaction: Reaction | null = null): CheckResult => ({
    id,
    title,
    expects,
    verdict,
    reaction,
    status,
    message,
  });
  const came = answer.kind === 'failure' ? `No answer: ${answer.message}` : String(answer.status);
  if (after?.kind === 'failure') {
    return result('fail', `${came}, and valid deliveries got no answer after it`, 'neither');
  }
  if (status === 429) {
    return result('inconclusive', `429: ${limits}`);
  }
  if (after !== undefined && !isAccepted(after)) {
    return result('inconclusive', `A valid delivery after it got ${said(after)}, so the answer proves nothing`);
  }
  const reaction = reactionTo(answer);
  if (reaction === (expects === 'accept' ? 'accepted' : 'rejected')) {
    return result('pass', came, reaction);
  }
  if (expects === 'reject' && status === 202) {
    // "Accepted for processing, but the processing has not been completed" (RFC 9110, 15.3.3).
    return result('inconclusive', '202: taken before it is verified, so nothing shows whether it is', reaction);
  }
  const why = reaction === 'accepted' ? 'wrongly accepted' : 'not rejected with 4xx';
  return result(
    'fail',
    `${came}: ${expects === 'accept' ? 'a validly signed delivery is not accepted' : why}`,
    reaction,
  );
}

function reactionTo(answer: Answer): Reaction {
  const isRejected = answer.kind === 'answer' && answer.status >= 400 && answer.status < 500;
  return isAccepted(answer) ? 'accepted' : isRejected ? 'rejected' : 'neither';
}

/** What all results say together. */
export interface Summary {
  /** Whether the receiver verifies signatures; null if that cannot be decided. */
  readonly verifies: boolean | null;
  readonly summary: readonly string[];
  readonly checks: readonly CheckResult[];
}

const idsOf = (checks: readonly CheckResult[]): string => checks.map(({ id }) => id).join(', ');

/** What is known besides the results. */
interface Known {
  /** The answer to the first valid delivery. */
  readonly first: Answer;
  /** Where that was not accepted: the answer to one that is wrongly signed. */
  readonly unsigned?: Answer | undefined;
  /** The probe after which no valid delivery was accepted any more, and what such a one got. */
  readonly last?: { readonly id: string; readonly answer: Answer };
}

const takesAll = 'It accepts everything: no signature is verified, or only after it answers, and no sender learns that';

/** Sums up the results. */
export function summarise(checks: readonly CheckResult[], { first, unsigned, last }: Known): Summary {
  if (checks[0]?.verdict !== 'pass') {
    return { checks, ...notAccepted(first, unsigned) };
  }
  const refusals = checks.filter(({ expects, verdict }) => expects === 'reject' && verdict !== 'inconclusive');
  const failed = checks.filter(({ verdict }) => verdict === 'fail');
  const taken = failed.filter(({ reaction }) => reaction === 'accepted');
  const refused = failed.filter(({ expects, reaction }) => expects === 'accept' && reaction === 'rejected');
  const others = failed.filter((one) => !taken.includes(one) && !refused.includes(one));
  const open = checks.filter(({ verdict }) => verdict === 'inconclusive');
  const answer = (verifies: boolean | null, ...summary: readonly (string | false)[]): Summary => ({
    checks,
    verifies,
    summary: summary.filter((line) => line !== false),
  });
  if (last?.answer.kind === 'failure') {
    return answer(false, `It stops answering after ${last.id}`);
  }
  if (failed.length > 0) {
    const isAll = taken.length === refusals.length;
    return answer(
      false,
      taken.length > 0 &&
        (isAll ? takesAll : `It wrongly accepts ${taken.length} of ${refusals.length} deliveries: ${idsOf(taken)}`),
      refused.length > 0 && `It refuses valid deliveries: ${idsOf(refused)}`,
      others.length > 0 && `It neither accepts nor refuses: ${idsOf(others)}`,
    );
  }
  if (last !== undefined) {
    const bans = 'it may shut out who sends wrong signatures; try again where it does not';
    const got = `${said(last.answer)}: ${last.answer.status === 429 ? limits : bans}`;
    return answer(null, `Cannot be decided: after ${last.id} valid deliveries got ${got}`);
  }
  if (open.length > 0) {
    const messages = [...new Set(open.map(({ message }) => message))];
    return answer(null, `Cannot be decided: ${messages.join('; ')} (${idsOf(open)})`);
  }
  return answer(
    true,
    `It verifies: all ${refusals.length} deliveries that must be rejected are, and every valid one is accepted`,
  );
}

const refusalStatuses = [400, 401, 403, 406, 409, 415, 422];

/** The summary if the first valid delivery was not accepted, so that nothing can be judged. */
function notAccepted(first: Answer, unsigned: Answer | undefined): Omit<Summary, 'checks'> {
  const open = (why: string): Omit<Summary, 'checks'> => ({ verifies: null, summary: [why] });
  if (first.kind === 'failure') {
    return open(`It cannot be reached: ${first.message}. Is it running, and is the URL right?`);
  }
  const got = `a validly signed delivery got ${said(first)}`;
  if (first.who !== undefined) {
    return open(`Cannot be decided: ${got}; exempt this sender there, or let --header carry a bypass token`);
  }
  if (!refusalStatuses.includes(first.status)) {
    return open(`Cannot be decided: ${got}. Is this the receiver's URL?`);
  }
  const payload = 'it may need another payload (--body) or a header (--header)';
  if (unsigned?.kind === 'answer' && refusalStatuses.includes(unsigned.status) && unsigned.status !== first.status) {
    const other = `one signed with another secret got ${unsigned.status}`;
    return open(`Cannot be decided: ${got}; ${other}, so it takes the signature: ${payload}`);
  }
  const advice = `Check --scheme, --secret-from and --registered-url. If these are right, ${payload}`;
  return { verifies: false, summary: [`It rejects everything: ${got}. ${advice}`] };
}
