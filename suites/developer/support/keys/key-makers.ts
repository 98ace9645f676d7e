import type { Environment } from '../../../../contract/scopes.ts';
import type { ApiKey } from '../../../session/key.ts';
import { givenKey, mainKey } from '../../../session/keys.ts';
import type { Session } from '../../../session/session.ts';

/** The environment of the main key: keys are made for it unless a check asks for the other one. */
export const mainEnvironment = (session: Session): Environment =>
  mainKey(session).environment === 'live' ? 'live' : 'sandbox';

/** The given key that makes keys of an environment: for live ones the live key, if there is one; or the main key. */
export const makerFor = (session: Session, environment: Environment): ApiKey =>
  (environment === 'live' ? givenKey(session, 'LIVE_API_KEY') : undefined) ?? mainKey(session);

/** The given key that deletes what a key makes: one of its environment, since keys may not see those of the other. */
export const deleterOf = (session: Session, { environment }: ApiKey): ApiKey =>
  makerFor(session, environment === 'live' ? 'live' : mainEnvironment(session));
