import { canonical, scalarText, walk } from '../../../common/json.ts';
import { counted } from '../../../common/words.ts';
import { keyPrefix } from '../../../contract/scopes.ts';
import type { Tally } from '../../../results/outcome.ts';
import { describeAnswer } from '../../engine/describe-answer.ts';
import { expectStatus, findingOn, judgeThat, needAccepted } from '../../engine/expect.ts';
import { judgePart } from '../../engine/parts.ts';
import { readUntil } from '../../records/list-search.ts';
import type { Answer } from '../../session/answer.ts';
import { send } from '../../session/send.ts';
import type { Session } from '../../session/session.ts';
import { keysOfBothEnvironments } from '../environments.ts';
import { rowsIfAccepted } from '../rows.ts';
import type { RotationStory, Trial } from './rotation.ts';

/** A rotated key keeps its prefix, its scopes and its records. */
export async function judgeKept(session: Session, tally: Tally, story: RotationStory): Promise<void> {
  const { answer, successor, trials } = story;
  needAccepted(answer, 'Key cannot be rotated', 'developer.keys.rotate');
  judgePrefixKept(tally, story, successor().key.secret);
  judgeShownScopes(tally, story);
  for (const trial of trials) {
    judgeTrial(tally, trial);
    await judgePart(tally, () => judgeRecords(session, tally, story, trial));
  }
}

function judgePrefixKept(tally: Tally, { environment, made, answer }: RotationStory, secret: string): void {
  const prefix = keyPrefix[environment];
  // A key that was made without its prefix is judged by the clause about that.
  if (made.key.secret.startsWith(prefix)) {
    judgeThat(tally, secret.startsWith(prefix), answer, {
      message: "Rotation changed the key's prefix",
      expected: prefix,
      actual: secret.slice(0, Math.min(prefix.length, secret.length >> 2)),
    });
  }
}

/** A call that was accepted before is not forbidden now, and one that was forbidden is not accepted. */
function judgeTrial(tally: Tally, { before, after }: Trial): void {
  if (after?.status === 401) {
    const message = `Cannot judge the scopes of a rotated key: ${describeAnswer(after)}`;
    tally.leaveOpen(findingOn(after, { message, blames: 'developer.keys.rotate' }));
  } else if (after !== null && before.accepted) {
    const lost = after.status === 403;
    tally.judge(lost ? expectStatus(after, before.status, 'A rotated key', 'Rotation removed a scope') : null);
  } else if (after !== null) {
    tally.judge(after.accepted ? expectStatus(after, 403, 'A rotated key', 'Rotation added a scope') : null);
  }
}

/**
 * A list of scopes that the answer to the creation shows stays the same in the answer to the rotation, and in the key
 * list. Where any scope of a module opens all its calls, nothing else shows that one was lost.
 */
function judgeShownScopes(tally: Tally, { made, answer, listed }: RotationStory): void {
  const asked = inOrder(made.key.creation?.scopes ?? []);
  const place = walk(made.record.answer.payload).find(({ value }) => inOrder(value) === asked)?.name;
  const rows = listed?.row === undefined ? [] : [{ from: listed.last, record: listed.row }];
  for (const { from, record } of [{ from: answer, record: answer.payload }, ...rows]) {
    const shown = walk(record).find(({ name, value }) => name === place && Array.isArray(value))?.value;
    if (shown !== undefined) {
      const message = 'Rotated key is shown with other scopes than it was created with';
      judgeThat(tally, inOrder(shown) === asked, from, { message, expected: asked, actual: inOrder(shown) });
    }
  }
}

const inOrder = (list: unknown): string => (Array.isArray(list) ? list.map(scalarText).sort().join(', ') : '');

/**
 * A rotated key stays in its environment: it reads some of the records that it read before. Where seeding has replaced
 * all of them since, it reads some of those that another key of the environment reads.
 */
async function judgeRecords(
  session: Session,
  tally: Tally,
  { environment, successor }: RotationStory,
  { before, after, noun = '' }: Trial,
): Promise<void> {
  const list = before.exchange.endpoint ?? '';
  // Figures may change with each read; ids and names do not.
  const namesIn = (answer: Answer): string[] =>
    rowsIfAccepted(answer, noun).flatMap(({ id, name, company }) =>
      id == null ? [] : canonical([id, name ?? company]),
    );
  const share = (one: Answer, other: Answer): boolean => namesIn(one).some((name) => namesIn(other).includes(name));
  const other = (await keysOfBothEnvironments(session, list)).find((key) => key.environment === environment);
  if (other === undefined || noun === '' || !after?.accepted || namesIn(before).length === 0) {
    return;
  }
  const readBoth = async (attempt: number): Promise<readonly [Answer, Answer]> =>
    attempt === 0
      ? [after, before]
      : [await send(session, list, { key: successor().key }), await send(session, list, { key: other })];
  const [now, same] = await readUntil(session, readBoth, (both) => share(...both));
  judgeThat(tally, share(now, same), now, {
    message: `After rotation, the key sees other records: ${list} shows none of those that other ${environment} keys see`,
    expected: `records of the ${environment} environment, as before the rotation`,
    actual: counted(rowsIfAccepted(now, noun).length, noun),
    cause: 'Rotation returns a key of the other environment',
  });
}
