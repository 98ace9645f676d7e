import type { HeaderLines } from '../../../results/exchange.ts';
import { secretCandidates } from '../../../webhooks/signature/secret-candidates.ts';

/**
 * The secrets that the answer to a create shows: values of fields and headers that are named as secrets first, then
 * values that look random and are no ids. Masked values are left out, and those in the body that was `sent`.
 */
export const shownSecrets = (json: unknown, headers: HeaderLines = [], sent?: unknown): string[] =>
  secretCandidates(json, headers, sent).map(({ value }) => value);
