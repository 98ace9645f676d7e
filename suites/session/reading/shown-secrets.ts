import type { HeaderLines } from '../../../results/exchange.ts';
import { secretCandidates } from '../../../webhooks/signature/secret-candidates.ts';

/**
 * The secrets that the answer to a create shows: values of fields and headers that are named as secrets first, then
 * values that look random and are no ids. Masked values are left out.
 */
export const shownSecrets = (json: unknown, headers: HeaderLines = []): string[] =>
  secretCandidates(json, headers).map(({ value }) => value);
