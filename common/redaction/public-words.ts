import { clauses } from '../../contract/clauses.ts';
import { endpoints } from '../../contract/endpoints.ts';
import { developerErrorCodes, invalidApiKey } from '../../contract/errors.ts';
import { eventKinds } from '../../contract/events.ts';
import { keyPrefix, scopes } from '../../contract/scopes.ts';
import { settings } from '../../contract/settings.ts';
import { windowLength } from './windows.ts';

/** The words of the two documents, which reports must show whole even if a secret includes them. */
const documented = [
  ...clauses.flatMap(({ id, title, source }) => [id, title, source]),
  ...endpoints.flatMap(({ id, path }) => [id, path]),
  ...settings.flatMap(({ name, meaning, values = [] }) => [name, meaning, ...values]),
  ...eventKinds,
  ...scopes,
  ...Object.values(keyPrefix),
  ...Object.values(developerErrorCodes),
  invalidApiKey,
];

const windowsOf = (texts: readonly string[]): ReadonlySet<string> =>
  new Set(
    texts
      .map((text) => text.toLowerCase())
      .flatMap((text) => Array.from({ length: text.length }, (_, i) => text.slice(i, i + windowLength))),
  );
const documentedWindows = windowsOf(documented);

/** Whether a text has only one or two different characters, and so gives nothing away. */
const isMonotonous = (text: string): boolean => {
  const [first, ...others] = text;
  const second = others.find((one) => one !== first);
  return others.every((one) => one === first || one === second);
};

/** A test of parts of secrets, in lower case, that may be shown: words of the documents, and those of the run itself. */
export function publicTest(own: readonly string[]): (window: string) => boolean {
  const ownWindows = windowsOf(own);
  return (window) => documentedWindows.has(window) || ownWindows.has(window) || isMonotonous(window);
}
