import type { HeaderLines } from '../../../results/exchange.ts';
import { secretCandidates } from '../../../webhooks/signature/secret-candidates.ts';

/**
 * The secrets that an answer shows to whoever created something, those first that are named so: what has the name of one in a
 * field or header, and whatever looks random and is no id. Masked ones are none.
 */
export const shownSecrets = (json: unknown, headers: HeaderLines = []): string[] =>
  secretCandidates(json, headers).map(({ value }) => value);
