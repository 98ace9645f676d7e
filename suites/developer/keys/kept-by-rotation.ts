import { canonical, isObject, walk } from '../../../common/json.ts';
import { counted } from '../../../common/words.ts';
import { type Environment, keyPrefix, scopes } from '../../../contract/scopes.ts';
import type { Tally } from '../../../results/outcome.ts';
import type { Finding } from '../../../results/verdict.ts';
import { describeAnswer } from '../../engine/describe-answer.ts';
import { expectStatus, findingOn, judgeThat, undecided } from '../../engine/expect.ts';
import { judgePart } from '../../engine/parts.ts';
import { readUntil } from '../../records/list-search.ts';
import type { Answer } from '../../session/answer.ts';
import type { Session } from '../../session/session.ts';
import { keysOfBothEnvironments, readAs } from '../environments.ts';
import { rowsIfAccepted } from '../rows.ts';
import { recordLists, type Trial } from './rotation.ts';
import type { KeyStory } from './story.ts';

/** A rotated key keeps its prefix, its scopes and its records. */
export async function judgeKept(session: Session, tally: Tally, story: KeyStory): Promise<void> {
  const { environment } = story;
  const { answer, successor, trials } = story.rotation();
  if (!answer.accepted) {
    throw undecided(answer, `Key cannot be rotated: ${describeAnswer(answer)}`, 'developer.keys.rotate');
  }
  successor();
  judgePrefixKept(tally, story);
  judgeShownScopes(tally, story);
  for (const { before, after, again, list } of trials) {
    if (before !== null && after !== null) {
      judgeTrial(tally, { before, after });
      if (list !== undefined) {
        await judgePart(tally, () => judgeRecords(session, tally, environment, { list, before, after, again }));
      }
    }
  }
}

function judgePrefixKept(tally: Tally, { environment, made, rotation }: KeyStory): void {
  const { answer, successor } = rotation();
  const prefix = keyPrefix[environment];
  const { secret } = successor().key;
  if (made.key.secret.startsWith(prefix)) {
    tally.judge(secret.startsWith(prefix) ? null : otherPrefix());
  } else {
    const message = `New ${environment} key does not begin with ${prefix}, so rotation cannot keep it`;
    tally.leaveOpen(findingOn(answer, { message, blames: `developer.auth.${environment}-prefix` }));
  }

  function otherPrefix(): Finding {
    return findingOn(answer, {
      message: "Rotation changed the key's prefix",
      expected: prefix,
      actual: secret.slice(0, Math.min(prefix.length, secret.length >> 2)),
    });
  }
}

/** A call that was accepted before is not forbidden now, and one that was forbidden is not accepted. */
function judgeTrial(tally: Tally, { before, after }: { [K in 'before' | 'after']: NonNullable<Trial[K]> }): void {
  if (after.status === 401) {
    const message = `Cannot judge the scopes of a rotated key: ${describeAnswer(after)}`;
    tally.leaveOpen(findingOn(after, { message, blames: 'developer.keys.rotate' }));
  } else if (before.accepted) {
    const lost = after.status === 403;
    tally.judge(lost ? expectStatus(after, before.status, 'A rotated key', 'Rotation removed a scope') : null);
  } else {
    tally.judge(after.accepted ? expectStatus(after, 403, 'A rotated key', 'Rotation added a scope') : null);
  }
}

/**
 * The answer to the rotation, and the key list after it, show the scopes that the answer to the creation showed in a
 * field of that name. Where any scope of a module opens all its calls, nothing else shows that one was lost.
 */
function judgeShownScopes(tally: Tally, { made, rotation }: KeyStory): void {
  const { answer, listed } = rotation();
  const asked = inOrder(made.key.creation?.scopes ?? []);
  const names = fieldsOf(made.record.answer.payload).flatMap(({ name, shown }) => (shown === asked ? [name] : []));
  const inList = listed?.row === undefined ? [] : [{ from: listed.last, record: listed.row }];
  for (const { from, record } of [{ from: answer, record: answer.payload }, ...inList]) {
    const found = fieldsOf(record).filter(({ name }) => names.includes(name));
    if (found[0] !== undefined) {
      const message = 'Rotated key is shown with other scopes than it was created with';
      const isKept = found.some(({ shown }) => shown === asked);
      tally.judge(isKept ? null : findingOn(from, { message, expected: asked, actual: found[0].shown }));
    }
  }
}

/** The fields of a record that name scopes and nothing else. */
const fieldsOf = (value: unknown): { readonly name: string; readonly shown: string }[] =>
  walk(value).flatMap(({ name, value: field, isInList }) => {
    const words = isInList ? [] : wordsIn(field);
    return words.length > 0 && words.every(isScope) ? [{ name, shown: inOrder(words) }] : [];
  });

/** The words of a text (`ads:read ads:write`), of a list, or of a map from module to access. */
const wordsIn = (value: unknown): readonly string[] =>
  isObject(value)
    ? Object.entries(value).flatMap(([module, access]) => wordsIn([access].flat()).map((one) => `${module}:${one}`))
    : [value].flat().flatMap((one) => (typeof one === 'string' ? one.split(/[\s,]+/) : ['']));

const isScope = (word: string): boolean => (scopes as readonly string[]).includes(word);

const inOrder = (words: readonly string[]): string => [...new Set(words)].sort().join(', ');

/** A list, read with a key before its rotation and with its new secret after it. */
interface ListAroundRotation extends Pick<Trial, 'again'> {
  readonly list: keyof typeof recordLists;
  readonly before: Answer;
  readonly after: Answer;
}

/**
 * A rotated key stays in its environment: it reads some of the records that it read before. Where seeding has replaced
 * all of them since, it reads some of those that another key of the environment reads.
 */
async function judgeRecords(
  session: Session,
  tally: Tally,
  environment: Environment,
  { list, before, after, again }: ListAroundRotation,
): Promise<void> {
  const noun = recordLists[list];
  // Figures may change with each read; ids and names do not.
  const namesIn = (answer: Answer): string[] =>
    rowsIfAccepted(answer, noun).flatMap(({ id, name, company }) =>
      id == null ? [] : canonical([id, name ?? company]),
    );
  const share = (one: Answer, other: Answer): boolean => namesIn(one).some((name) => namesIn(other).includes(name));
  if (!after.accepted || namesIn(before).length === 0) {
    return;
  }
  if (share(before, after)) {
    tally.judge(null);
    return;
  }
  const keys = await keysOfBothEnvironments(session, list);
  const key = keys.find((one) => one.environment === environment);
  if (key === undefined) {
    return;
  }
  const readBoth = async () => [await again(), await readAs(session, list, { key, isFresh: true })] as const;
  const [now, same] = await readUntil(session, readBoth, ([one, other]) => share(one, other));
  judgeThat(tally, share(now, same), now, {
    message: `After rotation, the key sees other records: ${list} shows none of those that other ${environment} keys see`,
    expected: `records of the ${environment} environment, as before the rotation`,
    actual: counted(rowsIfAccepted(now, noun).length, noun),
    cause: 'Rotation returns a key of the other environment',
  });
}
