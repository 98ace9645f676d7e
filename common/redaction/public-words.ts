import { clauses } from '../../contract/clauses.ts';
import { endpoints } from '../../contract/endpoints.ts';
import { eventKinds } from '../../contract/events.ts';
import { scopes } from '../../contract/scopes.ts';
import { settings } from '../../contract/settings.ts';

/** Texts that are no secret, even where a secret is made of the same words. */
export interface PublicWords {
  /** Whether a part of a secret, in lower case, stands in one of them, or has too few different characters to tell anything. */
  holds(part: string): boolean;
}

/** What everybody can read in the documents, and needs whole wherever it stands in a report. */
const documented = [
  ...clauses.flatMap(({ id, title, source }) => [id, title, source]),
  ...endpoints.flatMap(({ id, path }) => [id, path]),
  ...settings.flatMap(({ name, meaning, values = [] }) => [name, meaning, ...values]),
  ...eventKinds,
  ...scopes,
].map((text) => text.toLowerCase());

/** Fewer characters of a secret are none: they stand in plain words as well. */
export const leastRun = 8;
/** Each run of a secret is looked up: in a set, which is faster than the texts. */
const runsOf = (texts: readonly string[]): ReadonlySet<string> =>
  new Set(texts.flatMap((text) => Array.from(text, (_, i) => text.slice(i, i + leastRun))));
const documentedRuns = runsOf(documented);

/** Of one or two different characters. */
const monotonous = /^(.)\1*(?:(.)(?:\1|\2)*)?$/su;

/** The words of the documents, and the run's own: its tag. */
export function publicWords(own: readonly string[]): PublicWords {
  const texts = own.map((text) => text.toLowerCase());
  const runs = runsOf(texts);
  return {
    holds: (part) =>
      monotonous.test(part) ||
      (part.length === leastRun
        ? documentedRuns.has(part) || runs.has(part)
        : [...documented, ...texts].some((text) => text.includes(part))),
  };
}
