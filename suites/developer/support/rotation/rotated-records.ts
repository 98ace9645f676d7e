import { counted } from '../../../../common/words.ts';
import type { Environment } from '../../../../contract/scopes.ts';
import type { Tally } from '../../../../results/outcome.ts';
import type { Finding } from '../../../../results/verdict.ts';
import { findingOn } from '../../../engine/expect.ts';
import type { Answer } from '../../../session/answer.ts';
import type { ApiKey } from '../../../session/key.ts';
import type { Session } from '../../../session/session.ts';
import { readUntil } from '../../../shared/lists/list-search.ts';
import { keysOfBothEnvironments, readAs } from '../data/environments.ts';
import { mainEnvironment } from '../keys/key-makers.ts';
import { listIn, sharedRows } from '../rows.ts';

/** Lists of which each environment has records of its own, and what those are called. */
export const recordLists = {
  'GET /api/v1/ads/campaigns': 'campaign',
  'GET /api/v1/investor/pipeline': 'deal',
} as const;

export type RecordList = keyof typeof recordLists;

/** A list as a key was shown it before its rotation and is shown it after that. */
interface Shown {
  readonly list: RecordList;
  readonly was: Answer;
  readonly is: Answer;
  /** Reads it once more with the new secret. */
  readonly again: () => Promise<Answer>;
}

/**
 * A rotated key keeps its environment: where it was shown records that the environment's other keys are shown, it goes on to be shown
 * some of them. Where it was not, the environment may be empty, or each key have data of its own: only records of the other
 * environment, which none of these keys was shown, tell then.
 */
export async function judgeRecords(
  session: Session,
  tally: Tally,
  environment: Environment,
  shown: Shown,
): Promise<void> {
  const { list, was, again } = shown;
  const noun = recordLists[list];
  const inCommon = (one: Answer, other: Answer | undefined): number =>
    sharedRows(rowsOf(one, noun), other === undefined ? [] : rowsOf(other, noun)).length;
  const keys = await keysOfBothEnvironments(session, list);
  const [ownKey, otherKey] = environment === mainEnvironment(session) ? keys : keys.toReversed();
  const readWith = async (key: ApiKey | undefined, isFresh = false) => key && readAs(session, list, { key, isFresh });
  const [ours, theirs] = await Promise.all([readWith(ownKey), readWith(otherKey)]);
  const otherRecords = (answer: Answer): Finding => {
    const shows = counted(rowsOf(answer, noun).length, noun);
    return findingOn(answer, {
      message: `Rotated key reads other records than before: ${list} shows none that other ${environment} keys are shown`,
      expected: `records of the ${environment} environment, as before the rotation`,
      actual: inCommon(answer, theirs) > 0 ? `${shows} of the other environment` : shows,
      cause: 'Rotation makes a key of the other environment',
    });
  };
  if (!shown.is.accepted || !ours?.accepted) {
    return;
  }
  if (inCommon(was, ours) === 0) {
    const isNew = [was, ours].every((one) => one.accepted && inCommon(one, theirs) === 0);
    if (isNew && inCommon(shown.is, theirs) > 0) {
      tally.judge(otherRecords(shown.is));
    }
    return;
  }
  const isKept = ([one, other]: readonly [Answer, Answer | undefined]): boolean => inCommon(one, other) > 0;
  const now = [shown.is, ours] as const;
  // Seeding may have replaced all records meanwhile: what both are shown now tells.
  const readBoth = async () => [await again(), await readWith(ownKey, true)] as const;
  const [is, other] = isKept(now) ? now : await readUntil(session, readBoth, isKept);
  tally.judge(isKept([is, other]) ? null : otherRecords(is));
}

const rowsOf = (answer: Answer, noun: string): NonNullable<ReturnType<typeof listIn>>['rows'] =>
  answer.accepted ? (listIn(answer, noun)?.rows ?? []) : [];
