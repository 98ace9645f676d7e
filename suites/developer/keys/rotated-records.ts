import { counted } from '../../../common/words.ts';
import type { Environment } from '../../../contract/scopes.ts';
import type { Tally } from '../../../results/outcome.ts';
import type { Finding } from '../../../results/verdict.ts';
import { findingOn } from '../../engine/expect.ts';
import { readUntil } from '../../records/list-search.ts';
import type { Answer } from '../../session/answer.ts';
import type { ApiKey } from '../../session/key.ts';
import type { Session } from '../../session/session.ts';
import { keysOfBothEnvironments, readAs } from '../environments.ts';
import { haveSharedRecord, rowsIfAccepted, sharedNames } from '../rows.ts';
import { mainEnvironment } from './creation.ts';

/** Lists with other records in each environment, and what a record is called. */
export const recordLists = {
  'GET /api/v1/ads/campaigns': 'campaign',
  'GET /api/v1/investor/pipeline': 'deal',
} as const;

type RecordList = keyof typeof recordLists;

/** A list, read with a key before its rotation and with its new secret after it. */
interface ListAroundRotation {
  readonly list: RecordList;
  readonly before: Answer;
  readonly after: Answer;
  /** Reads it once more with the new secret. */
  readonly readAgain: () => Promise<Answer>;
}

/**
 * A rotated key stays in its environment. Where it read records before that another key of the environment reads, it
 * must still read some of them. Where it did not, the environment may be empty, or each key may have data of its own:
 * then only records of the other environment, which neither key read, show a defect.
 */
export async function judgeRecords(
  session: Session,
  tally: Tally,
  environment: Environment,
  { list, before, after, readAgain }: ListAroundRotation,
): Promise<void> {
  const noun = recordLists[list];
  const keys = await keysOfBothEnvironments(session, list);
  const [sameKey, otherKey] = environment === mainEnvironment(session) ? keys : keys.toReversed();
  const readWith = async (key: ApiKey | undefined, isFresh = false) => key && readAs(session, list, { key, isFresh });
  const [same, other] = await Promise.all([readWith(sameKey), readWith(otherKey)]);
  if (!after.accepted || !same?.accepted) {
    return;
  }
  const inBoth = sharedNames(rowsIfAccepted(same, noun), rowsIfAccepted(other, noun));
  const share = (one: Answer, another: Answer | undefined): boolean =>
    another !== undefined && haveSharedRecord(rowsIfAccepted(one, noun), rowsIfAccepted(another, noun), inBoth);
  const defect = (answer: Answer): Finding =>
    otherRecords(answer, { list, environment, isOfOther: share(answer, other) });
  if (!share(before, same)) {
    const knewNone = [before, same].every((answer) => answer.accepted && !share(answer, other));
    if (knewNone && share(after, other)) {
      tally.judge(defect(after));
    }
    return;
  }
  if (share(after, same)) {
    tally.judge(null);
    return;
  }
  // Seeding may have replaced all records since: what both keys read now decides.
  const readBoth = async () => [await readAgain(), await readWith(sameKey, true)] as const;
  const [rotatedNow, sameNow] = await readUntil(session, readBoth, ([one, another]) => share(one, another));
  tally.judge(share(rotatedNow, sameNow) ? null : defect(rotatedNow));
}

interface OtherRecords {
  readonly list: RecordList;
  readonly environment: Environment;
  /** Whether the records are the other environment's. */
  readonly isOfOther: boolean;
}

function otherRecords(answer: Answer, { list, environment, isOfOther }: OtherRecords): Finding {
  const noun = recordLists[list];
  const shown = counted(rowsIfAccepted(answer, noun).length, noun);
  return findingOn(answer, {
    message: `After rotation, the key sees other records: ${list} shows none of those that other ${environment} keys see`,
    expected: `records of the ${environment} environment, as before the rotation`,
    actual: isOfOther ? `${shown} of the other environment` : shown,
    cause: 'Rotation returns a key of the other environment',
  });
}
