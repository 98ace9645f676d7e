import { clauses } from '../../contract/clauses.ts';
import { endpoints } from '../../contract/endpoints.ts';
import { developerErrorCodes, invalidApiKey } from '../../contract/errors.ts';
import { eventKinds } from '../../contract/events.ts';
import { scopes } from '../../contract/scopes.ts';
import { settings } from '../../contract/settings.ts';
import { unmarked } from './groups.ts';

/** Texts that must stay readable even if a secret includes the same words. */
export interface PublicWords {
  /**
   * Whether a part of a secret, in lower case, is in such a text, or has too few different characters to give anything
   * away.
   */
  holds(part: string): boolean;
}

/** The words of the two documents, which reports must show whole. */
const documented = [
  ...clauses.flatMap(({ id, title, source }) => [id, title, source]),
  ...endpoints.flatMap(({ id, path }) => [id, path]),
  ...settings.flatMap(({ name, meaning, values = [] }) => [name, meaning, ...values]),
  ...eventKinds,
  ...scopes,
  ...Object.values(developerErrorCodes),
  invalidApiKey,
].flatMap(formsOf);

/** A text as it is compared, and as secrets are searched for in groups, without the marks between them. */
function formsOf(text: string): string[] {
  const lower = text.toLowerCase();
  return [lower, unmarked(lower)];
}

/** A run is so many characters of a secret in a row. Fewer occur in plain words too, and may be shown. */
export const runLength = 8;
/** All runs in the texts. A lookup in this set is faster than a search of the texts. */
const runsOf = (texts: readonly string[]): ReadonlySet<string> =>
  new Set(texts.flatMap((text) => Array.from(text, (_, i) => text.slice(i, i + runLength))));
const documentedRuns = runsOf(documented);

/** Has only one or two different characters. */
const monotonous = /^(.)\1*(?:(.)(?:\1|\2)*)?$/su;

/** The words of the documents, and texts of the run itself such as its tag. */
export function publicWords(own: readonly string[]): PublicWords {
  const texts = own.flatMap(formsOf);
  const runs = runsOf(texts);
  return {
    holds: (part) =>
      monotonous.test(part) ||
      (part.length === runLength
        ? documentedRuns.has(part) || runs.has(part)
        : [...documented, ...texts].some((text) => text.includes(part))),
  };
}
