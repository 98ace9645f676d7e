import { decide } from '../../common/decide.ts';
import type { Probe } from './probes.ts';

/** The answer to a request, and how its body begins or where it leads. */
export interface Answer {
  /** null: there is no answer, and `text` says why. */
  readonly status: number | null;
  readonly text: string;
}

type Status = Pick<Answer, 'status'>;

export const isAccepted = ({ status }: Status): boolean => status !== null && status >= 200 && status < 300;
const isRejected = ({ status }: Status): boolean => status !== null && status >= 400 && status < 500;

/** `403, <title>Just a moment`. */
const said = ({ status, text }: Answer): string =>
  status === null ? `no answer (${text})` : `${status}${text === '' ? '' : `, ${text}`}`;

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
interface Summary {
  /** Whether the receiver verifies signatures; null if that cannot be decided. */
  readonly verifies: boolean | null;
  readonly summary: readonly string[];
}

const idsOf = (checks: readonly CheckResult[]): string => checks.map(({ id }) => id).join(', ');

/** The check after which no valid delivery was accepted any more, the first one included, and what such a one got. */
interface Stop {
  readonly id: string;
  readonly answer: Answer;
}

const advice =
  'Check the URL, --scheme, --secret-from and --registered-url; it may also need another payload (--body) or a header (--header), such as the bypass token of a firewall';

const takesAll = 'It accepts everything: no signature is verified, or only after it answers, and no sender learns that';

/** What a receiver does wrong that fails a check. */
const wrongOf = (result: CheckResult): string =>
  isAccepted(result)
    ? 'wrongly accepts'
    : isRejected(result)
      ? 'refuses valid deliveries'
      : 'neither accepts nor refuses';

type Said = [verifies: Summary['verifies'], ...summary: string[]];

/** Sums up the results. Without a stop, a valid delivery was accepted last. */
export function summarise(checks: readonly CheckResult[], stop?: Stop): Summary {
  const refusals = checks.filter(({ expects, verdict }) => expects === 'reject' && verdict !== 'inconclusive');
  const failed = checks.filter(({ verdict }) => verdict === 'fail');
  const open = checks.filter(({ verdict }) => verdict === 'inconclusive');
  const isAll = failed.filter(isAccepted).length === refusals.length;
  const byWrong = [...Map.groupBy(failed, wrongOf)].map(([does, all]) =>
    isAll && all.some(isAccepted) ? takesAll : `It ${does}: ${idsOf(all)}`,
  );
  const got = stop === undefined ? '' : said(stop.answer);
  const why = stop?.answer.status === 429 ? limits : bans;
  const right = `all ${refusals.length} deliveries that must be rejected are, and every valid one is accepted`;
  const messages = [...new Set(open.map(({ message }) => message))].join('; ');
  const [verifies, ...summary] = decide<Said>(
    [checks.length === 1, null, `Cannot be decided: a validly signed delivery got ${got}. ${advice}`],
    [stop?.answer.status === null, false, `It stops answering after ${stop?.id}`],
    [failed.length > 0, false, ...byWrong],
    [stop !== undefined, null, `Cannot be decided: after ${stop?.id} valid deliveries got ${got}: ${why}`],
    [open.length > 0, null, `Cannot be decided: ${messages} (${idsOf(open)})`],
    [true, true, `It verifies: ${right}`],
  );
  return { verifies, summary };
}

const bans = 'it may shut out who sends wrong signatures; try again where it does not';
