import { at, isObject, walk } from '../../../common/json.ts';
import { isMasked } from '../../../common/redaction/key-like.ts';
import type { HeaderLines } from '../../../results/exchange.ts';
import { shownSecrets } from '../../reading/shown-secrets.ts';
import type { Call } from '../../session/call.ts';
import { creating } from '../kinds.ts';

const secretName = /secret|signing_?key|shared_?key|hmac_?key|verification_?(key|token)/i;

/** The signing secrets in a body, found by the names of their fields; masked ones do not count. */
export function secretsIn(json: unknown): string[] {
  const shown = walk(json).flatMap(({ name, value }) =>
    secretName.test(name) && typeof value === 'string' && value.length >= 8 ? [value] : [],
  );
  return [...new Set(shown)].filter((value) => !isMasked(value) && !/\s/.test(value));
}

/**
 * The secrets that an answer shows: under any name in the answer to a registration, under the usual names in others. A
 * refusal may use names of secrets for something else: `{"keyword": "additionalProperties"}`.
 */
export const secretsShown = (
  json: unknown,
  { endpoint, body }: Pick<Call, 'endpoint' | 'body'>,
  headers: HeaderLines,
): readonly string[] =>
  endpoint?.id === creating('webhooks') && !isObject(at(json, '/error'))
    ? shownSecrets(json, headers, 'webhooks', body)
    : secretsIn(json);
