import { type Prefix, type Scope, scopes, scopesOf } from '../../../../contract/scopes.ts';
import { refusesBody } from '../../../records/bodies.ts';
import type { Answer } from '../../../session/answer.ts';
import type { Session } from '../../../session/session.ts';
import { step } from '../../../session/step.ts';
import type { Attempt } from '../../../shared/records.ts';
import { burstMs, nameRule } from './create-key.ts';
import { deleteIfMade } from './drop-key.ts';
import { create } from './key-creation.ts';
import { mainEnvironment, makerFor } from './key-makers.ts';

// The creations before any other key exists. A given key makes these.

/** The first creation, with all twelve scopes. Where the body is refused, its name may be why: another one is tried. */
const allScopesCreation = step(async (session): Promise<Attempt> => {
  const rule = await nameRule(session);
  const make = (): Promise<Attempt> => create(session, { purpose: 'main', scopes });
  let first = await make();
  if (first.answer.status === 429) {
    // A limiter of bursts accepts it a moment later. Keys made later are waited for in any case.
    await session.clock.sleep(burstMs);
    first = await make();
  }
  if (!refusesBody(first.answer)) {
    return first;
  }
  // Names stay plain from then on: where this is refused, too, both the name and the scopes may be why.
  rule.separator = '';
  const plainlyNamed = await make();
  return plainlyNamed.answer.accepted ? plainlyNamed : first;
});

/** Which scope names key creation accepts. */
interface ScopeNames {
  /** All twelve where no name is known to be accepted: the creation is at fault then, and not the names. */
  readonly accepted: readonly Scope[];
  /** Those that one key can have: an account may limit how many scopes a key has. */
  readonly together: readonly Scope[];
  /** The answer to each refused name. */
  readonly refused: ReadonlyMap<Scope, Answer>;
  /** The answer to all twelve at once. */
  readonly allAtOnce: Answer;
  /** Whether a name was accepted: then a refusal is about another name. */
  readonly isAnyAccepted: boolean;
}

/** Whether the scopes that a creation asks for may be why it failed. */
const mayBeDueToScopes = ({ status }: Answer): boolean => status === 400 || status >= 500;

/** The scope names that creation accepts. Each is tried by itself only where all twelve at once fail. */
export const scopeNames = step(async (session): Promise<ScopeNames> => {
  const { answer } = await allScopesCreation(session);
  if (!mayBeDueToScopes(answer)) {
    const isAnyAccepted = answer.accepted;
    return { accepted: scopes, together: scopes, refused: new Map(), allAtOnce: answer, isAnyAccepted };
  }
  const accepted: Scope[] = [];
  const together: Scope[] = [];
  const refused = new Map<Scope, Answer>();
  for (const scope of scopes) {
    const tried = await tryScope(session, scope, { accepted, together });
    if (tried.isBesideOthers) {
      together.push(scope);
    }
    if (tried.answer.accepted) {
      accepted.push(scope);
    } else if (mayBeDueToScopes(tried.answer)) {
      refused.set(scope, tried.answer);
    }
  }
  return accepted.length === 0
    ? { accepted: scopes, together: scopes, refused, allAtOnce: answer, isAnyAccepted: false }
    : { accepted, together, refused, allAtOnce: answer, isAnyAccepted: true };
});

/** What the creation of a key with a scope showed. */
interface ScopeTrial {
  readonly answer: Answer;
  /** Whether one key can have the scope and all others that were accepted together. */
  readonly isBesideOthers: boolean;
}

/**
 * Creates a key with a scope beside others that were accepted together: a write scope may rightly be refused without
 * its read scope. Where the key is refused, another one has the accepted scopes of its module alone: there may be too
 * many.
 */
export async function tryScope(
  session: Session,
  scope: Scope,
  { accepted, together }: Pick<ScopeNames, 'accepted' | 'together'>,
  environment = mainEnvironment(session),
): Promise<ScopeTrial> {
  const tryWith = async (chosen: readonly Scope[]): Promise<Answer> => {
    const attempt = await create(session, {
      purpose: `scope ${scope} of a ${environment} key`,
      scopes: chosen,
      environment,
    });
    // Deleted at once, since an account may have only few keys.
    await deleteIfMade(session, attempt, makerFor(session, environment));
    return attempt.answer;
  };
  const beside = await tryWith([...together, scope]);
  const [prefix] = scope.split(':') as [Prefix];
  const ofModule = scopesOf(prefix).filter((other) => other === scope || accepted.includes(other));
  const areOthersApart = together.some((other) => !ofModule.includes(other));
  if (beside.accepted || !areOthersApart) {
    return { answer: beside, isBesideOthers: beside.accepted };
  }
  return { answer: await tryWith(ofModule), isBesideOthers: false };
}

/** The creation of the run's first key, with all scopes that one key can have; it may have yielded no key. */
export const firstKeyCreation = step(async (session): Promise<Attempt> => {
  const { together } = await scopeNames(session);
  return together.length === scopes.length
    ? allScopesCreation(session)
    : create(session, { purpose: 'main', scopes: together });
});
