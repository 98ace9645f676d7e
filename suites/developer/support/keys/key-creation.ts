import type { Environment, Scope } from '../../../../contract/scopes.ts';
import { keyBody } from '../../../../fixtures/developer-bodies.ts';
import type { Session } from '../../../session/session.ts';
import type { Attempt } from '../../../shared/records.ts';
import { createKey, keyName } from './create-key.ts';
import { isNotDeletedYet } from './drop-key.ts';
import { mainEnvironment, makerFor } from './key-makers.ts';
import type { RunKey } from './run-key.ts';

/** A key to create. */
interface WantedKey {
  /** Is in its name. */
  readonly purpose: string;
  readonly scopes: readonly Scope[];
  /** Default: that of the main key. */
  readonly environment?: Environment;
}

/**
 * Creates a key: with the helper where that one may, since this spares the budget of the given key; otherwise, or if
 * there is none, with the given key. Where the connection broke, creates another one: the clean-up finds what the first
 * request may have made.
 */
export async function create(session: Session, wanted: WantedKey, helper: RunKey | null = null): Promise<Attempt> {
  const attempt = await createOnce(session, wanted, helper);
  const isBroken = ['closed', 'reset'].includes(attempt.answer.exchange.failure?.kind ?? '');
  return isBroken ? createOnce(session, wanted, helper) : attempt;
}

async function createOnce(session: Session, wanted: WantedKey, helper: RunKey | null): Promise<Attempt> {
  const { purpose, scopes, environment = mainEnvironment(session) } = wanted;
  const name = await keyName(session, purpose);
  const creation = { tag: name, body: keyBody(name, environment, scopes), maker: makerFor(session, environment) };
  if (helper !== null && isNotDeletedYet(session, helper)) {
    const attempt = await createKey(session, { ...creation, key: helper.key });
    if (![401, 403].includes(attempt.answer.status)) {
      return attempt;
    }
  }
  return createKey(session, creation);
}
