import { at } from '../../../common/json.ts';
import type { Tally } from '../../../results/outcome.ts';
import type { Finding } from '../../../results/verdict.ts';
import { judgePart } from '../../engine/check.ts';
import { expectAccepted, findingOn } from '../../engine/expect.ts';
import { idIn } from '../../reading/record.ts';
import type { Answer } from '../../session/call.ts';
import type { Session } from '../../session/session.ts';
import { keysPath } from './run-key.ts';
import { type KeyStory, usageDays } from './stories.ts';

/** Usage succeeds without days and with the documented numbers, and is that of the key, and of the days. */
export async function judgeUsage(
  session: Session,
  tally: Tally,
  { environment, made, usage }: KeyStory,
): Promise<void> {
  for (const days of usageDays.documented) {
    await judgePart(tally, () => {
      const what = environment === 'live' ? 'Usage of a live key' : 'Usage';
      const how = days === 'none' ? 'without days' : `with days=${days}`;
      const answer = usage[days]();
      tally.judge(expectAccepted(answer, `${what} ${how} failed`) ?? ofAnotherKey(session, answer, made.id));
    });
  }
  await judgePart(tally, () => tally.judge(daysIgnored(usage)));
}

/** The finding on usage that names another key of the account; null: it does not. */
function ofAnotherKey({ ledger }: Session, answer: Answer, own: string): Finding | null {
  const shown = answer.unredacted(({ payload }) => idIn(payload, 'key'));
  const isKey = (id: string): boolean =>
    ledger.isOther(keysPath, id) || ledger.all().some((entry) => entry.collection === keysPath && entry.id === id);
  return shown === undefined || shown === own || !isKey(shown)
    ? null
    : findingOn(answer, { message: 'Usage of a key is that of another key', expected: own, actual: shown });
}

/** The finding on usage that says the same number of days for each that is asked for; a new key has no three days. */
function daysIgnored(usage: KeyStory['usage']): Finding | null {
  const answers = (['1', '7', '90'] as const).map((days) => usage[days]());
  const [first, ...others] = answers.map(({ payload }) => at(payload, '/days'));
  return typeof first === 'number' && first > 2 && others.every((one) => one === first)
    ? findingOn(answers[0] as Answer, {
        message: `Usage ignores days: it is that of ${first} days with days=1, 7 and 90`,
        expected: '1',
        actual: String(first),
        place: '/data/days',
      })
    : null;
}
