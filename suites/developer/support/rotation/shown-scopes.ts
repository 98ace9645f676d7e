import { isObject, type JsonObject, scalarText, walk } from '../../../../common/json.ts';
import { type Environment, modules, type Scope, scopes } from '../../../../contract/scopes.ts';
import type { Tally } from '../../../../results/outcome.ts';
import { findingOn } from '../../../engine/expect.ts';
import { resultOrNull } from '../../../engine/parts.ts';
import type { Answer } from '../../../session/answer.ts';
import type { Session } from '../../../session/session.ts';
import { stepFor } from '../../../session/step.ts';
import { begunAfter, readList } from '../../../shared/lists/list-reading.ts';
import { keysPath } from '../keys/run-key.ts';
import { rotationIn } from './rotation.ts';

/** The scopes that a field names, and nothing else. */
interface ShownScopes {
  readonly name: string;
  readonly scopes: string;
}

const shownIn = (value: unknown): ShownScopes[] =>
  walk(value).flatMap(({ name, value: shown, isInList }) => {
    const named = isInList ? null : scopesIn(shown);
    return named === null || named.length === 0 ? [] : [{ name, scopes: textOf(named) }];
  });

const prefixes: readonly string[] = modules.map(({ prefix }) => prefix);

/**
 * The scopes that a value names, in any form: a text (`ads:read ads:write`), a list, a map from module to access, a
 * list of pairs or of objects with a flag. null: it also says something else.
 */
function scopesIn(value: unknown): readonly string[] | null {
  if (typeof value === 'string') {
    const words = value.split(/[\s,]+/);
    return words.every(isScope) ? words : null;
  }
  if (Array.isArray(value)) {
    const parts = value.map(scopesIn);
    return parts.some((part) => part === null) ? null : parts.flatMap((part) => part ?? []);
  }
  return isObject(value) ? scopesOfMap(value) : null;
}

const isScope = (value: unknown): value is Scope => scopes.includes(value as Scope);

/**
 * The scopes of a map from module to access, of one pair, `{"module": "ads", "access": "read"}`, or of one scope with
 * flags, `{"name": "ads:read", "granted": true}`.
 */
function scopesOfMap(map: JsonObject): readonly string[] | null {
  const named = Object.values(map).filter(isScope);
  if (named.length === 1) {
    return Object.values(map).includes(false) ? [] : named;
  }
  const [first, ...others] = Object.values(map).flat();
  const prefix = prefixes.find((one) => one === first);
  const grants = prefix === undefined ? Object.entries(map) : [[prefix, others] as const];
  const found = grants.flatMap(([module, access]) => [access].flat().map((one) => `${module}:${scalarText(one)}`));
  return found.every(isScope) ? found : null;
}

const textOf = (some: readonly string[]): string => [...new Set(some)].sort().join(', ');

/** A record, and the answer that shows it. */
interface View {
  readonly from: Answer;
  readonly record: unknown;
}

/**
 * The records of the rotated key on the first page of the key list that has any, read with its new secret. Steps that
 * delete the key await this.
 */
export const listedAfterRotation = stepFor(
  (environment: Environment) => environment,
  async (session, environment): Promise<readonly View[]> => {
    const { answer: since, after } = await rotationIn(session, environment);
    const { id, key } = after();
    const reading = await readList(session, `GET ${keysPath}`, { key, reuse: begunAfter(session, since) });
    for await (const { answer } of reading.pages()) {
      const records = recordsWith(answer, id);
      if (records.length > 0) {
        return records.map((record) => ({ from: answer, record }));
      }
    }
    return [];
  },
);

/** The objects in an answer that have this id. */
const recordsWith = ({ payload }: Answer, id: string): unknown[] =>
  walk(payload).flatMap(({ value }) =>
    isObject(value) && Object.values(value).map(scalarText).includes(id) ? [value] : [],
  );

/**
 * The answer to a rotation, and the key list after it, show the scopes that the answer to the creation showed in a
 * field of that name. Where any scope of a module opens all its calls, nothing else shows that one was lost.
 */
export async function judgeShownScopes(session: Session, tally: Tally, environment: Environment): Promise<void> {
  const { before, answer } = await rotationIn(session, environment);
  const asked = textOf(before.key.creation?.scopes ?? []);
  const names = shownIn(before.record.answer.payload).flatMap((shown) => (shown.scopes === asked ? [shown.name] : []));
  if (names.length === 0) {
    return;
  }
  const listed = await resultOrNull(listedAfterRotation(session, environment));
  const views: readonly View[] = [{ from: answer, record: answer.payload }, ...(listed ?? [])];
  for (const { from, record } of views) {
    const shown = shownIn(record).filter(({ name }) => names.includes(name));
    const [other] = shown;
    if (other !== undefined) {
      const message = 'Rotated key is shown with other scopes than it was created with';
      const isKept = shown.some((one) => one.scopes === asked);
      tally.judge(isKept ? null : findingOn(from, { message, expected: asked, actual: other.scopes }));
    }
  }
}
