import { canonical, walk } from '../../../common/json.ts';
import { counted } from '../../../common/words.ts';
import { type Environment, keyPrefix, scopes } from '../../../contract/scopes.ts';
import type { Tally } from '../../../results/outcome.ts';
import { judgePart, settle } from '../../engine/check.ts';
import { expectAccepted, expectStatus, judgeThat, needAccepted } from '../../engine/expect.ts';
import { rowsIn } from '../../reading/rows.ts';
import { readUntil } from '../../records/lists.ts';
import type { Answer } from '../../session/call.ts';
import { type Session, send } from '../../session/session.ts';
import { keysOfBothEnvironments } from '../environments.ts';
import { standingKey } from './making.ts';
import type { RotationStory, Trial } from './stories.ts';
import { tryKey } from './ways.ts';

/** A created key goes on working until the calls that need keys are made. */
export async function judgeLifeSpan(session: Session, tally: Tally): Promise<void> {
  await session.until('badKeys');
  await settle(standingKey(session).then(({ key }) => tryKey(session, key)));
  const dead = [...session.client.dead].find(([{ creation }]) => creation?.rotatedAt === undefined);
  tally.judge(dead ? expectAccepted(dead[1], 'Created key was accepted before, and is refused now') : null);
}

/** A rotated key keeps its prefix, its scopes and its records. */
export async function judgeKeyKept(session: Session, tally: Tally, story: RotationStory): Promise<void> {
  const { environment, made, answer, successor, trials } = story;
  needAccepted(answer, 'Key cannot be rotated', 'developer.keys.rotate');
  const [prefix, { secret }] = [keyPrefix[environment], successor().key];
  // A key that was made without its prefix is judged by the clause about that.
  judgeThat(tally, secret.startsWith(prefix) || !made.key.secret.startsWith(prefix), answer, {
    message: "Rotation changed the key's prefix",
    expected: prefix,
    actual: secret.slice(0, Math.min(prefix.length, secret.length >> 2)),
  });
  judgeShownScopes(tally, story);
  // A key that is refused with 401 is judged by the clause on rotation.
  for (const trial of trials.filter(({ after }) => after.status !== 401)) {
    judgeScope(tally, trial);
    await judgePart(tally, () => judgeRecords(session, tally, environment, trial));
  }
}

/** A call that was accepted before is not forbidden now, and one that was forbidden is not accepted. */
function judgeScope(tally: Tally, { before, after }: Trial): void {
  const isKept = before.accepted ? after.status !== 403 : !after.accepted;
  const cause = `Rotation ${before.accepted ? 'removed' : 'added'} a scope`;
  tally.judge(isKept ? null : expectStatus(after, before.status, 'A rotated key', cause));
}

/**
 * The scopes that the answer to the creation shows stay the same in the answer to the rotation, and in the key list.
 * Where any scope of a module opens all its calls, or only writes show it, nothing else tells that one was lost.
 */
function judgeShownScopes(tally: Tally, { made, answer, listed }: RotationStory): void {
  const expected = scopesShownIn(made.record.answer.payload);
  const rows = listed?.row === undefined ? [] : [{ from: listed.last, record: listed.row }];
  for (const { from, record } of [{ from: answer, record: answer.payload }, ...rows]) {
    const actual = scopesShownIn(record);
    const message = 'Rotated key is shown with other scopes than it was created with';
    judgeThat(tally, [expected, ''].includes(actual) || expected === '', from, { message, expected, actual });
  }
}

/** The scopes that a record shows in lists of nothing else, in order. */
const scopesShownIn = (record: unknown): string => {
  const isScope = (value: unknown): boolean => scopes.some((scope) => scope === value);
  const shown = walk(record).flatMap(({ value }) => (Array.isArray(value) && value.every(isScope) ? value : []));
  return [...new Set(shown)].sort().join(', ');
};

/** Lists of which each environment has other records, and what a record is called. */
const lists: Readonly<Record<string, string>> = {
  'GET /api/v1/ads/campaigns': 'campaign',
  'GET /api/v1/investor/pipeline': 'deal',
};

/**
 * A rotated key stays in its environment: it reads some of the records that it read before. Where seeding has replaced
 * all of them since, it reads some of those that another key of the environment reads.
 */
async function judgeRecords(
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
