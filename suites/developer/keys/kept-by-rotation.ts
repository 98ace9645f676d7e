import { isObject, scalarText, walk } from '../../../common/json.ts';
import { keyPrefix, type Scope, scopes } from '../../../contract/scopes.ts';
import type { Tally } from '../../../results/outcome.ts';
import type { Finding } from '../../../results/verdict.ts';
import { describeAnswer } from '../../engine/describe-answer.ts';
import { expectStatus, findingOn, undecided } from '../../engine/expect.ts';
import { judgePart } from '../../engine/parts.ts';
import type { Session } from '../../session/session.ts';
import { judgeRecords } from './rotated-records.ts';
import type { Trial } from './rotation.ts';
import type { KeyStory } from './story.ts';

/** A rotated key keeps its prefix, its scopes and its records. */
export async function judgeKept(session: Session, tally: Tally, story: KeyStory): Promise<void> {
  const { environment } = story;
  const { answer, after, trials } = story.rotation();
  if (!answer.accepted) {
    throw undecided(answer, `Key cannot be rotated: ${describeAnswer(answer)}`, 'developer.keys.rotate');
  }
  after();
  judgePrefixKept(tally, story);
  judgeShownScopes(tally, story);
  for (const { before, after, again, list } of trials) {
    if (before !== null && after !== null) {
      judgeTrial(tally, { before, after });
      if (list !== undefined) {
        await judgePart(tally, () =>
          judgeRecords(session, tally, environment, { list, before, after, readAgain: again }),
        );
      }
    }
  }
}

function judgePrefixKept(tally: Tally, { environment, made, rotation }: KeyStory): void {
  const { answer, after } = rotation();
  const prefix = keyPrefix[environment];
  const { secret } = after().key;
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
  const asked = textOf(made.key.creation?.scopes ?? []);
  const names = shownIn(made.record.answer.payload).flatMap((shown) => (shown.scopes === asked ? [shown.name] : []));
  for (const { from, record } of [{ from: answer, record: answer.payload }, ...listed]) {
    const shown = shownIn(record).filter(({ name }) => names.includes(name));
    const [other] = shown;
    if (other !== undefined) {
      const message = 'Rotated key is shown with other scopes than it was created with';
      const isKept = shown.some((one) => one.scopes === asked);
      tally.judge(isKept ? null : findingOn(from, { message, expected: asked, actual: other.scopes }));
    }
  }
}

/** The scopes that fields name, and nothing else, with the names of the fields. */
const shownIn = (value: unknown): { readonly name: string; readonly scopes: string }[] =>
  walk(value).flatMap(({ name, value: shown, isInList }) => {
    const named = isInList ? null : scopesIn(shown);
    return named === null || named.length === 0 ? [] : [{ name, scopes: textOf(named) }];
  });

/** The scopes that a text (`ads:read ads:write`), a list or a map from module to access names. null: it says more. */
function scopesIn(value: unknown): readonly string[] | null {
  if (typeof value === 'string') {
    const words = value.split(/[\s,]+/);
    return words.every(isScope) ? words : null;
  }
  if (Array.isArray(value)) {
    const parts = value.map(scopesIn);
    return parts.some((part) => part === null) ? null : parts.flatMap((part) => part ?? []);
  }
  if (!isObject(value)) {
    return null;
  }
  const granted = Object.entries(value).flatMap(([module, access]) =>
    [access].flat().map((one) => `${module}:${scalarText(one)}`),
  );
  return granted.every(isScope) ? granted : null;
}

const isScope = (value: unknown): value is Scope => scopes.includes(value as Scope);

const textOf = (some: readonly string[]): string => [...new Set(some)].sort().join(', ');
