import { canonical } from '../../../common/json.ts';
import { counted } from '../../../common/words.ts';
import type { Environment } from '../../../contract/scopes.ts';
import type { Tally } from '../../../results/outcome.ts';
import { judgeThat } from '../../engine/expect.ts';
import { rowsIn } from '../../reading/rows.ts';
import { readUntil } from '../../records/reads.ts';
import type { Answer } from '../../session/call.ts';
import { type Session, send } from '../../session/session.ts';
import { keysOfBothEnvironments } from '../environments.ts';
import type { Trial } from './stories.ts';

/** Lists of which each environment has other records, and what a record is called. */
const lists: Readonly<Record<string, string>> = {
  'GET /api/v1/ads/campaigns': 'campaign',
  'GET /api/v1/investor/pipeline': 'deal',
};

/**
 * Judges that a rotated key reads some of the records that it read before. Where seeding has replaced all of them
 * since, it reads some of those that another key of the environment reads.
 */
export async function judgeEnvironmentKept(
  session: Session,
  tally: Tally,
  environment: Environment,
  { before, after }: Trial,
): Promise<void> {
  const list = before.exchange.endpoint ?? '';
  const noun = lists[list];
  // Figures may change with each read; ids and names do not.
  const namesIn = (answer: Answer): string[] =>
    (rowsIn(answer.payload, noun ?? '') ?? []).flatMap(({ id, name, company }) =>
      id == null ? [] : canonical([id, name ?? company]),
    );
  const key = (await keysOfBothEnvironments(session, list)).find((one) => one.environment === environment);
  if (key === undefined || noun === undefined || !after.accepted || namesIn(before).length === 0) {
    return;
  }
  const isLike = (answer: Answer): boolean => namesIn(answer).some((name) => namesIn(after).includes(name));
  // By now the rotated key is deleted.
  const readByOther = (): Promise<Answer> => send(session, list, { key });
  const isKept = isLike(before) || isLike(await readUntil(session, readByOther, isLike));
  judgeThat(tally, isKept, after, {
    message: `After rotation, the key sees other records: ${list} shows none of those that other ${environment} keys see`,
    expected: `records of the ${environment} environment, as before the rotation`,
    actual: counted(namesIn(after).length, noun),
    cause: 'Rotation returns a key of the other environment',
  });
}
