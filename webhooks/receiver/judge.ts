import { decide } from '../../common/decide.ts';
import type { Probe } from './probes.ts';

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

export type CheckResult = ReturnType<typeof judge>;

const limits = 'the receiver limits requests; try again with its limit off';

/** Judges one answer. `after`: that to the valid delivery behind it; the one before it was accepted. */
export function judge({ id, title, expects }: Pick<Probe, 'id' | 'title' | 'expects'>, answer: Answer, after?: Answer) {
  const { status, text } = answer;
  const came = status === null ? `No answer: ${text}` : String(status);
  const isProven = after === undefined || isAccepted(after);
  const [verdict, message] = decide<['pass' | 'fail' | 'inconclusive', string]>(
    [after?.status === null, 'fail', `${came}, and valid deliveries got no answer after it`],
    [status === 429, 'inconclusive', `429: ${limits}`],
    [!isProven, 'inconclusive', `A valid delivery after it got ${said(after ?? answer)}, so the answer proves nothing`],
    [expects === 'accept' ? isAccepted(answer) : isRejected(answer), 'pass', came],
    [expects === 'accept', 'fail', `${came}: a validly signed delivery is not accepted`],
    // "Accepted for processing, but the processing has not been completed" (RFC 9110, 15.3.3).
    [status === 202, 'inconclusive', '202: taken before it is verified, so nothing shows whether it is'],
    [isAccepted(answer), 'fail', `${came}: wrongly accepted`],
    [true, 'fail', `${came}: not rejected with 4xx`],
  );
  return { id, title, expects, verdict, status, message };
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

type Said = [verifies: Summary['verifies'], ...summary: string[]];

/** Sums up the results. */
export function summarise(checks: readonly CheckResult[], known: Known): Summary {
  if (checks[0]?.verdict !== 'pass') {
    return notAccepted(known);
  }
  const refusals = checks.filter(({ expects, verdict }) => expects === 'reject' && verdict !== 'inconclusive');
  const failed = checks.filter(({ verdict }) => verdict === 'fail');
  const open = checks.filter(({ verdict }) => verdict === 'inconclusive');
  const isAll = failed.filter(isAccepted).length === refusals.length;
  const byWrong = [...Map.groupBy(failed, wrongOf)].map(([does, all]) =>
    isAll && all.some(isAccepted) ? takesAll : `It ${does}: ${idsOf(all)}`,
  );
  const { answer = known.first, id = '' } = known.last ?? {};
  const why = answer.status === 429 ? limits : bans;
  const right = `all ${refusals.length} deliveries that must be rejected are, and every valid one is accepted`;
  const messages = [...new Set(open.map(({ message }) => message))].join('; ');
  const [verifies, ...summary] = decide<Said>(
    [answer.status === null, false, `It stops answering after ${id}`],
    [failed.length > 0, false, ...byWrong],
    [id !== '', null, `Cannot be decided: after ${id} valid deliveries got ${said(answer)}: ${why}`],
    [open.length > 0, null, `Cannot be decided: ${messages} (${idsOf(open)})`],
    [true, true, `It verifies: ${right}`],
  );
  return { verifies, summary };
}

const bans = 'it may shut out who sends wrong signatures; try again where it does not';

const isRefusal = (answer?: Answer): boolean => [400, 401, 403, 406, 409, 415, 422].includes(answer?.status ?? 0);

/** The summary if the first valid delivery was not accepted, so that nothing can be judged. */
function notAccepted({ first, unsigned }: Known): Summary {
  const got = `a validly signed delivery got ${said(first)}`;
  const isTold = isRefusal(unsigned) && unsigned?.status !== first.status;
  const told = `one signed with another secret got ${unsigned?.status}, so it takes the signature`;
  const payload = 'it may need another payload (--body) or a header (--header)';
  const bypass = 'exempt this sender there, or let --header carry a bypass token';
  const advice = `Check --scheme, --secret-from and --registered-url. If these are right, ${payload}`;
  const [verifies, ...summary] = decide<Said>(
    [first.status === null, null, `It cannot be reached: ${first.text}. Is it running, and is the URL right?`],
    [first.who !== undefined, null, `Cannot be decided: ${got}; ${bypass}`],
    [!isRefusal(first), null, `Cannot be decided: ${got}. Is this the receiver's URL?`],
    [isTold, null, `Cannot be decided: ${got}; ${told}: ${payload}`],
    [true, false, `It rejects everything: ${got}. ${advice}`],
  );
  return { verifies, summary };
}
