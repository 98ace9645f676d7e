import { scopes } from '../../contract/scopes.ts';
import type { Session } from '../session/session.ts';
import { makeKey } from './make-key.ts';
import type { OwnKey } from './own-keys.ts';

/** A throw-away key with all scopes that stands during the run: the target of calls on keys that must be refused. */
export const standingKey = (session: Session): Promise<OwnKey> =>
  session.once('standing key', () => makeKey(session, 'standing', scopes));
