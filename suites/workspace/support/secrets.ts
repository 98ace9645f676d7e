import type { Endpoint } from '../../../contract/endpoint.ts';
import { secretCandidates } from '../../../webhooks/signature/secret-candidates.ts';

/**
 * Signing secrets that an answer shows: what is named for one, under whatever name; and in the answer to a registration what
 * looks like one, since it may be shown there alone.
 */
export const secretsIn = (json: unknown, endpoint?: Endpoint): readonly string[] =>
  endpoint?.path.startsWith('/v1/webhooks') === true
    ? secretCandidates(json)
        .filter(({ named }) => named || endpoint.method === 'POST')
        .map(({ value }) => value)
    : [];
