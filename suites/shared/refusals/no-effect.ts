import type { Tally } from '../../../results/outcome.ts';
import type { Finding } from '../../../results/verdict.ts';
import { describeAnswer, findingOn } from '../../engine/expect.ts';
import { mentions } from '../../reading/own-words.ts';
import { readPages } from '../../records/lists.ts';
import type { Answer, ApiKey } from '../../session/call.ts';
import type { Session } from '../../session/session.ts';

/** A write that must be refused, with words of its own. */
export interface MarkedWrite {
  readonly endpoint: string;
  /** The status with which it must be refused. */
  readonly status: number;
  readonly probe: Answer;
  /** Are in its body, and nowhere else. */
  readonly words: string;
  /** The clause that says that it is refused. */
  readonly clause: string;
}

/** The list that would show what a write makes. */
interface Witness {
  readonly list: string;
  /** Words of an accepted write: a list that does not show them proves nothing. */
  readonly twinWords: string;
  /** Reads the list. */
  readonly reader: ApiKey;
}

/**
 * Judges that refused writes left nothing: KEY_SETTLE_MS later, a list that shows an accepted one shows none of their
 * words. One that got another status is left open. Gives the writes whose words are shown.
 */
export async function judgeLeftNothing(
  session: Session,
  tally: Tally,
  writes: readonly MarkedWrite[],
  { list, twinWords, reader }: Witness,
): Promise<readonly MarkedWrite[]> {
  for (const { probe, status, clause } of writes.filter((write) => !gotRefusal(write))) {
    tally.leaveOpen(notRefused(probe, String(status), clause));
  }
  const refused = writes.filter(gotRefusal);
  if (refused.length === 0) {
    return [];
  }
  const settledAt = await awaitEffects(session, refused);
  const pages = await readPages(session, list, { key: reader, reuse: ({ at }) => at >= settledAt });
  const pageWith = (words: string): Answer | undefined =>
    pages.find(({ answer }) => mentions(answer.json, words))?.answer;
  const message = `Cannot tell what a refused write leaves behind: ${list} does not show an accepted one either`;
  const unknown = pageWith(twinWords) === undefined ? findingOn(pages[0].answer, { message }) : null;
  for (const write of refused) {
    judgeEffect(tally, write, { shownBy: pageWith(write.words), how: `${list} shows ${write.words}`, unknown });
  }
  return refused.filter(({ words }) => pageWith(words) !== undefined);
}

const gotRefusal = ({ probe, status }: MarkedWrite): boolean => probe.status === status;

/** Waits until refused writes would show, if they took effect: KEY_SETTLE_MS. Gives the time from which they would. */
export async function awaitEffects(
  { clock, settings }: Session,
  writes: readonly Pick<MarkedWrite, 'probe'>[],
): Promise<number> {
  const settledAt = Math.max(0, ...writes.map(({ probe }) => probe.exchange.receivedAt)) + settings.KEY_SETTLE_MS;
  await clock.sleep(Math.max(0, settledAt - clock.now()));
  return settledAt;
}

/**
 * Judges that a refused write, or several to one endpoint, had no effect. `shownBy`: the answer that shows one, which
 * `how` says in words; undefined: none does. `unknown`: why an effect would not show; null: it would.
 */
export function judgeEffect(
  tally: Tally,
  { endpoint, status }: { readonly endpoint: string; readonly status: number | string },
  after: { readonly shownBy: Answer | undefined; readonly how: string; readonly unknown: Finding | null },
): void {
  const { shownBy, how, unknown } = after;
  if (shownBy !== undefined) {
    const message = `${endpoint} took effect although it got ${status}: ${how}`;
    tally.judge(findingOn(shownBy, { message, expected: 'no effect', actual: how }));
  } else if (unknown === null) {
    tally.judge(null);
  } else {
    tally.leaveOpen(unknown);
  }
}

/** The finding on a write that was not refused, as the clause `blames` demands; `expected`: statuses of a refusal. */
export const notRefused = (answer: Answer, expected: string, blames: string): Finding =>
  findingOn(answer, {
    message: `Cannot tell what a refused write leaves behind: it got ${describeAnswer(answer)}, not ${expected}`,
    expected,
    actual: describeAnswer(answer),
    blames,
  });
