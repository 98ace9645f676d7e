import type { Expectation, Probe } from './probes.ts';

/** The answer to a request: how its body begins or where it leads, and who gave it in place of the receiver. */
export interface Answer {
  /** null: there is no answer, and `text` says why. */
  readonly status: number | null;
  readonly text: string;
  readonly who?: string | undefined;
}

type Status = Pick<Answer, 'status'>;

export const isAccepted = ({ status }: Status): boolean => status !== null && status >= 200 && status < 300;
const isRejected = ({ status }: Status): boolean => status !== null && status >= 400 && status < 500;

/** `403 of Cloudflare's bot protection, <title>Just a moment`. */
const said = ({ status, text, who }: Answer): string =>
  status === null
    ? `no answer (${text})`
    : `${status}${who === undefined ? '' : ` of ${who}`}${text === '' ? '' : `, ${text}`}`;

export interface CheckResult extends Status {
  readonly id: string;
  readonly title: string;
  readonly expects: Expectation;
  readonly verdict: 'pass' | 'fail' | 'inconclusive';
  readonly message: string;
}

const limits = 'the receiver limits requests; try again with its limit off';

/** Judges one answer. `after`: that to the valid delivery behind it; the one before it was accepted. */
export function judge(
  { id, title, expects }: Pick<Probe, 'id' | 'title' | 'expects'>,
  answer: Answer,
  after?: Answer,
): CheckResult {
  const { status, text } = answer;
  const result = (verdict: CheckResult['verdict'], message: string): CheckResult => ({
    id,
    title,
    expects,
    verdict,
    status,
    message,
  });
  const came = status === null ? `No answer: ${text}` : String(status);
  if (after?.status === null) {
    return result('fail', `${came}, and valid deliveries got no answer after it`);
  }
  if (status === 429) {
    return result('inconclusive', `429: ${limits}`);
  }
  if (after !== undefined && !isAccepted(after)) {
    return result('inconclusive', `A valid delivery after it got ${said(after)}, so the answer proves nothing`);
  }
  if (expects === 'accept' ? isAccepted(answer) : isRejected(answer)) {
    return result('pass', came);
  }
  if (expects === 'accept') {
    return result('fail', `${came}: a validly signed delivery is not accepted`);
  }
  // "Accepted for processing, but the processing has not been completed" (RFC 9110, 15.3.3).
  return status === 202
    ? result('inconclusive', '202: taken before it is verified, so nothing shows whether it is')
    : result('fail', `${came}: ${isAccepted(answer) ? 'wrongly accepted' : 'not rejected with 4xx'}`);
}

/** What all results say together. */
export interface Summary {
  /** Whether the receiver verifies signatures; null if that cannot be decided. */
  readonly verifies: boolean | null;
  readonly summary: readonly string[];
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

/** What a receiver does wrong that fails a check. */
const wrongOf = (result: CheckResult): string =>
  isAccepted(result)
    ? 'wrongly accepts'
    : isRejected(result)
      ? 'refuses valid deliveries'
      : 'neither accepts nor refuses';

/** Sums up the results. */
export function summarise(checks: readonly CheckResult[], { first, unsigned, last }: Known): Summary {
  const says = (verifies: boolean | null, ...summary: readonly string[]): Summary => ({ verifies, summary });
  if (checks[0]?.verdict !== 'pass') {
    return notAccepted(first, unsigned);
  }
  if (last?.answer.status === null) {
    return says(false, `It stops answering after ${last.id}`);
  }
  const refusals = checks.filter(({ expects, verdict }) => expects === 'reject' && verdict !== 'inconclusive');
  const failed = checks.filter(({ verdict }) => verdict === 'fail');
  if (failed.length > 0) {
    const byWrong = [...Map.groupBy(failed, wrongOf)];
    const isAll = failed.filter(isAccepted).length === refusals.length;
    return says(
      false,
      ...byWrong.map(([does, all]) => (isAll && all.some(isAccepted) ? takesAll : `It ${does}: ${idsOf(all)}`)),
    );
  }
  if (last !== undefined) {
    const bans = 'it may shut out who sends wrong signatures; try again where it does not';
    const got = `${said(last.answer)}: ${last.answer.status === 429 ? limits : bans}`;
    return says(null, `Cannot be decided: after ${last.id} valid deliveries got ${got}`);
  }
  const open = checks.filter(({ verdict }) => verdict === 'inconclusive');
  if (open.length > 0) {
    const messages = [...new Set(open.map(({ message }) => message))];
    return says(null, `Cannot be decided: ${messages.join('; ')} (${idsOf(open)})`);
  }
  return says(
    true,
    `It verifies: all ${refusals.length} deliveries that must be rejected are, and every valid one is accepted`,
  );
}

const refusalStatuses = [400, 401, 403, 406, 409, 415, 422];

/** The summary if the first valid delivery was not accepted, so that nothing can be judged. */
function notAccepted(first: Answer, unsigned: Answer | undefined): Summary {
  const open = (why: string): Summary => ({ verifies: null, summary: [why] });
  const isRefusal = (answer: Answer): boolean => refusalStatuses.includes(answer.status ?? 0);
  if (first.status === null) {
    return open(`It cannot be reached: ${first.text}. Is it running, and is the URL right?`);
  }
  const got = `a validly signed delivery got ${said(first)}`;
  if (first.who !== undefined) {
    return open(`Cannot be decided: ${got}; exempt this sender there, or let --header carry a bypass token`);
  }
  if (!isRefusal(first)) {
    return open(`Cannot be decided: ${got}. Is this the receiver's URL?`);
  }
  const payload = 'it may need another payload (--body) or a header (--header)';
  if (unsigned !== undefined && isRefusal(unsigned) && unsigned.status !== first.status) {
    const other = `one signed with another secret got ${unsigned.status}`;
    return open(`Cannot be decided: ${got}; ${other}, so it takes the signature: ${payload}`);
  }
  const advice = `Check --scheme, --secret-from and --registered-url. If these are right, ${payload}`;
  return { verifies: false, summary: [`It rejects everything: ${got}. ${advice}`] };
}
