import type { Expectation, Probe } from './probes.ts';

/** The answer to a request: its status and how its body begins, or the reason why there is none. */
export type Answer =
  | { readonly kind: 'answer'; readonly status: number; readonly text: string }
  | { readonly kind: 'failure'; readonly message: string };

/** What a receiver did with a delivery. `neither`: its status is neither a success nor a refusal. */
type Reaction = 'accepted' | 'rejected' | 'neither' | 'server error' | 'no answer';

export interface CheckResult {
  readonly id: string;
  readonly title: string;
  readonly expects: Expectation;
  readonly verdict: 'pass' | 'fail' | 'inconclusive' | 'observed';
  /** null if the answer proves nothing. */
  readonly reaction: Reaction | null;
  /** The status of the answer; null if there is none. */
  readonly status: number | null;
  readonly message: string;
}

/** The valid deliveries before and after a probe. `gone`: the one after it got no answer, however long it was tried. */
export type Bracket = 'accepted' | 'not accepted' | 'gone';

/** What must come, in the words of a failure. */
const missed: Readonly<Record<Expectation, string>> = {
  accept: 'a validly signed delivery is not accepted',
  reject: 'not rejected with 4xx',
  either: 'neither accepted nor rejected',
};

/** Judges one answer. */
export function judge(
  { id, title, expects }: Pick<Probe, 'id' | 'title' | 'expects'>,
  answer: Answer,
  bracket: Bracket,
): CheckResult {
  const status = answer.kind === 'answer' ? answer.status : null;
  const result = (verdict: CheckResult['verdict'], message: string, reaction: Reaction | null = null): CheckResult => ({
    ...{ id, title, expects, verdict, reaction, status, message },
  });
  const came = answer.kind === 'failure' ? `No answer: ${answer.message}` : String(answer.status);
  if (bracket === 'gone') {
    return result('fail', `${came}, and valid deliveries got no answer after it`, 'no answer');
  }
  if (status === 429) {
    return result('inconclusive', '429: the receiver limits requests; try again with its limit off');
  }
  if (bracket === 'not accepted') {
    return result('inconclusive', 'A valid delivery beside it was not accepted, so the answer proves nothing');
  }
  const reaction = reactionTo(status);
  if (reaction === (expects === 'accept' ? 'accepted' : 'rejected') && expects !== 'either') {
    return result('pass', came, reaction);
  }
  if (expects === 'either' && reaction !== 'server error' && reaction !== 'no answer') {
    return result('observed', `${came}: ${reaction}`, reaction);
  }
  if (expects === 'reject' && status === 202) {
    // "Accepted for processing, but the processing has not been completed" (RFC 9110, 15.3.3).
    return result('inconclusive', '202: taken before it is verified, so nothing shows whether it is', reaction);
  }
  const why = expects === 'reject' && reaction === 'accepted' ? 'wrongly accepted' : missed[expects];
  return result('fail', `${came}: ${why}`, reaction);
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

/** What is known besides the results. */
interface Known {
  /** The answer to the first valid delivery. */
  readonly first: Answer;
  /** Where that was not accepted: the answer to one that is wrongly signed. */
  readonly unsigned?: Answer | undefined;
  /** The probe after which no answer came. */
  readonly gone?: string;
}

/** Sums up the results. */
export function summarise(checks: readonly CheckResult[], { first, unsigned, gone }: Known): Summary {
  if (checks[0]?.verdict !== 'pass') {
    return { checks, ...notAccepted(first, unsigned) };
  }
  const refusals = checks.filter(({ expects, verdict }) => expects === 'reject' && verdict !== 'inconclusive');
  const failed = checks.filter(({ verdict }) => verdict === 'fail');
  const taken = failed.filter(({ reaction }) => reaction === 'accepted');
  const refused = failed.filter(({ expects, reaction }) => expects === 'accept' && reaction === 'rejected');
  const others = failed.filter((one) => !taken.includes(one) && !refused.includes(one));
  const open = checks.filter(({ verdict }) => verdict === 'inconclusive');
  const early = open.filter(({ status }) => status === 202).length;
  const answer = (verifies: boolean | null, ...summary: readonly (string | false)[]): Summary => ({
    ...{ checks, verifies, summary: summary.filter((line) => line !== false) },
  });
  if (gone !== undefined) {
    return answer(false, `It stops answering after ${gone}`);
  }
  if (failed.length > 0) {
    const isAll = taken.length > 0 && taken.length === refusals.length;
    return answer(
      false,
      isAll && 'It accepts everything: no signature is verified',
      !isAll &&
        taken.length > 0 &&
        `It wrongly accepts ${taken.length} of ${refusals.length} deliveries: ${idsOf(taken)}`,
      refused.length > 0 && `It refuses valid deliveries: ${idsOf(refused)}`,
      others.length > 0 && `It neither accepts nor refuses: ${idsOf(others)}`,
    );
  }
  if (open.length > 0) {
    const messages = [...new Set(open.map(({ message }) => message))];
    const why = `it answers 202 before it verifies (${early} deliveries that must be rejected)`;
    return answer(null, `Cannot be decided: ${early > 0 ? why : `${idsOf(open)} (${messages.join('; ')})`}`);
  }
  return answer(
    true,
    `It verifies: all ${refusals.length} deliveries that must be rejected are, and every valid one is accepted`,
  );
}

const refusalStatuses = [400, 401, 403, 406, 409, 415, 422];

/** The summary if the first valid delivery was not accepted, so that nothing can be judged. */
function notAccepted(first: Answer, unsigned: Answer | undefined): Omit<Summary, 'checks'> {
  if (first.kind === 'failure') {
    const summary = [`It cannot be reached: ${first.message}. Is it running, and is the URL right?`];
    return { verifies: null, summary };
  }
  const got = `a validly signed delivery got ${first.status}${first.text === '' ? '' : `, ${first.text}`}`;
  if (!refusalStatuses.includes(first.status)) {
    return { verifies: null, summary: [`Cannot be decided: ${got}. Is this the receiver's URL?`] };
  }
  const payload = 'it may need another payload (--body) or a header (--header)';
  if (unsigned?.kind === 'answer' && refusalStatuses.includes(unsigned.status) && unsigned.status !== first.status) {
    const other = `one signed with another secret got ${unsigned.status}`;
    return { verifies: null, summary: [`Cannot be decided: ${got}; ${other}, so it takes the signature: ${payload}`] };
  }
  const advice = `Check --scheme, --secret-from and --registered-url. If these are right, ${payload}`;
  return { verifies: false, summary: [`It rejects everything: ${got}. ${advice}`] };
}
