import { endpointOf } from '../../contract/endpoints.ts';
import type { Answer } from './answer.ts';
import { type CallDetails, callOf } from './call.ts';
import type { ApiKey } from './key.ts';
import { mainKey } from './keys.ts';
import type { Session } from './session.ts';

/**
 * Sends a call of the endpoint with that id (`GET /v1/agents/:id`), with the main key where `key` is absent. Throws as
 * `Client.send` does, and Skipped where no main key is set.
 */
export const send = (
  session: Session,
  endpoint: string,
  { key = mainKey(session), ...details }: CallDetails & { readonly key?: ApiKey | null } = {},
): Promise<Answer> => session.client.send(callOf(endpointOf(endpoint), key, details));
