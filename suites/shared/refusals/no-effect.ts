import { Inconclusive, type Tally } from '../../../results/outcome.ts';
import { describeAnswer, findingOn, undecided } from '../../engine/expect.ts';
import { mentions } from '../../reading/own-words.ts';
import { readPages } from '../../records/reads.ts';
import type { Answer, ApiKey } from '../../session/call.ts';
import { mainKey, type Session } from '../../session/session.ts';

/** A write that must be refused. */
export interface MarkedWrite {
  readonly endpoint: string;
  readonly probe: Answer;
  /** Stand in its body, where it has one, and nowhere else. */
  readonly words: string;
}

/** The list that would show what a write makes. */
interface Witness {
  readonly list: string;
  /** Words of an accepted write: a list that does not show them proves nothing. */
  readonly twinWords: string;
  /** Reads the list. Default: the main key. */
  readonly reader?: ApiKey;
  /** The clause by which the writes are refused. */
  readonly blames: string;
}

/**
 * Those of the writes that were refused for their key, once they would show, if they took effect: after KEY_SETTLE_MS.
 * Throws Inconclusive where there is none.
 */
export async function settledRefusals<W extends Pick<MarkedWrite, 'probe'>>(
  { clock, settings }: Session,
  writes: readonly W[],
  blames: string,
): Promise<readonly W[]> {
  const refused = writes.filter(({ probe: { status } }) => status === 401 || status === 403);
  const [first] = writes;
  if (refused.length === 0) {
    const message = 'Cannot tell what a refused write leaves behind: none was refused with 401 or 403';
    throw first === undefined
      ? new Inconclusive({ message, blames })
      : undecided(first.probe, `${message}, but got ${describeAnswer(first.probe)}`, blames);
  }
  const last = Math.max(...refused.map(({ probe }) => probe.exchange.receivedAt));
  await clock.sleep(last + settings.KEY_SETTLE_MS - clock.now());
  return refused;
}

/**
 * Judges that refused writes left nothing: a list that shows an accepted one shows none of their words. Gives those
 * whose words are shown. Throws as `settledRefusals` does.
 */
export async function judgeLeftNothing(
  session: Session,
  tally: Tally,
  writes: readonly MarkedWrite[],
  { list, twinWords, reader = mainKey(session), blames }: Witness,
): Promise<readonly MarkedWrite[]> {
  const refused = await settledRefusals(session, writes, blames);
  const pages = await readPages(session, list, { key: reader });
  const pageWith = (words: string): Answer | undefined =>
    pages.find(({ answer }) => mentions(answer.json, words))?.answer;
  const shown = refused.filter(({ words }) => pageWith(words) !== undefined);
  if (pageWith(twinWords) === undefined && shown.length < refused.length) {
    const message = `Cannot tell what a refused write leaves behind: ${list} does not show an accepted one either`;
    tally.leaveOpen(findingOn(pages[0].answer, { message }));
  }
  for (const { endpoint, probe, words } of pageWith(twinWords) === undefined ? shown : refused) {
    const shownBy = pageWith(words);
    judgeEffect(tally, { endpoint, status: probe.status }, shownBy ? { shownBy, how: `${list} shows ${words}` } : null);
  }
  return shown;
}

/** What shows that a write took effect, and how, in words. */
export interface Effect {
  readonly shownBy: Answer;
  readonly how: string;
}

/** Judges that a write which got this status, or several that got one of these, had no effect. */
export function judgeEffect(
  tally: Tally,
  { endpoint, status }: { readonly endpoint: string; readonly status: number | string },
  effect: Effect | null,
): void {
  const message = `${endpoint} took effect although it got ${status}: ${effect?.how}`;
  const came = { expected: 'no effect', actual: effect?.how ?? 'none' };
  tally.judge(effect && findingOn(effect.shownBy, { message, ...came }));
}
