import { endpointOf } from '../../contract/endpoints.ts';
import type { Answer } from './answer.ts';
import { type CallDetails, callOf } from './call.ts';
import type { ApiKey } from './key.ts';
import { mainKey } from './keys.ts';
import type { Session } from './session.ts';

/**
 * Sends a documented call, `GET /v1/agents/:id`, with the main key or the one named. Throws as the client does, and Skipped
 * where no key is set.
 */
export const send = (
  session: Session,
  endpoint: string,
  { key = mainKey(session), ...details }: CallDetails & { readonly key?: ApiKey | null } = {},
): Promise<Answer> => session.client.send(callOf(endpointOf(endpoint), key, details));
