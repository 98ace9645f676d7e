import { isObject, isScalar } from './json.ts';
import { createScratch, findSecrets } from './redaction/find-secrets.ts';
import { findKeyLike } from './redaction/key-like.ts';
import { createPatterns, prefixOf } from './redaction/patterns.ts';
import { leastRun } from './redaction/public-words.ts';
import { merged, type Range, withoutRanges } from './redaction/ranges.ts';

/** Takes every secret that it has learnt out of a text, however it is written there. */
export interface Redactor {
  /** From now on this text is a secret. Too short to be one: ignored. */
  learn(secret: string): void;
  /** Whether the run's own words stand in a text that does not begin as a secret does: it is a name, say, and none. */
  isOwn(text: string): boolean;
  /** What it has learnt. */
  readonly secrets: ReadonlySet<string>;
  /**
   * The text with `…` for each run of eight or more characters of a secret's random part, encoded or not (findSecrets).
   * Its prefix stays. Idempotent, and safe on text that was escaped for JSON, HTML, XML or Markdown: what is left of it is
   * well-formed.
   */
  clean(text: string): string;
  /** A JSON value with all its texts cleaned, names of fields included; the value itself where it holds no secret. */
  cleanJson(value: unknown): unknown;
}

/** The same texts come again and again (header lines, URLs, names, lists): the longest that is remembered, and how much of all. */
const [longestRemembered, mostRemembered] = [65_536, 1_048_576];
/** The most of a setting's value that is quoted. */
const longestShown = 4_096;

/** A redactor that knows nothing yet but what keys of the developer API look like. `ownWords` are no secret: a run's tag. */
export function createRedactor(ownWords: readonly string[] = []): Redactor {
  const patterns = createPatterns(ownWords);
  const known = new Set<string>();
  const scratch = createScratch();
  const remembered = new Map<string, string>();
  let charactersRemembered = 0;

  function clean(text: string): string {
    if (text.length < leastRun) {
      return text;
    }
    const before = remembered.get(text);
    if (before !== undefined) {
      return before;
    }
    const cleaned = withoutRanges(text, findSecrets(text, patterns, scratch));
    if (text.length <= longestRemembered) {
      if (charactersRemembered + text.length > mostRemembered) {
        forget();
      }
      charactersRemembered += text.length;
      remembered.set(text, cleaned);
    }
    return cleaned;
  }

  function forget(): void {
    remembered.clear();
    charactersRemembered = 0;
  }

  return {
    learn(secret) {
      if (secret.length >= leastRun && !known.has(secret)) {
        known.add(secret);
        patterns.add(secret);
        forget();
      }
    },
    isOwn: (text) => prefixOf(text) === '' && ownWords.some((words) => text.includes(words)),
    secrets: known,
    clean,
    cleanJson: (value) => cleanJson(value, clean),
  };
}

/** A JSON value with all its texts cleaned; the value itself where it holds no secret: an answer may be large. */
export const cleanJson = (value: unknown, clean: (text: string) => string): unknown =>
  isClean(value, clean) ? value : cleaned(value, clean);

function isClean(value: unknown, clean: (text: string) => string): boolean {
  if (isScalar(value)) {
    return clean(String(value)) === String(value);
  }
  if (Array.isArray(value)) {
    return !holdsBytes(value, clean) && value.every((item) => isClean(item, clean));
  }
  return !isObject(value) || Object.keys(value).every((name) => clean(name) === name && isClean(value[name], clean));
}

/** Whether the numbers of a list are the bytes of a secret: none of them tells by itself. */
const holdsBytes = (list: readonly unknown[], clean: (text: string) => string): boolean => {
  const isList = list.length >= leastRun && list.every((item) => typeof item === 'number');
  const text = isList ? list.join() : '';
  return clean(text) !== text;
};

function cleaned(value: unknown, clean: (text: string) => string): unknown {
  if (isScalar(value)) {
    return isClean(value, clean) ? value : clean(String(value));
  }
  if (Array.isArray(value)) {
    return holdsBytes(value, clean) ? ['…'] : value.map((item) => cleaned(item, clean));
  }
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, item]) => [clean(name), cleaned(item, clean)]))
    : value;
}

/** `svc_test_…`, `whsec_…`, or the first four characters and `…`: what may be shown of a secret. */
export function shorten(secret: string): string {
  const prefix = prefixOf(secret);
  return `${prefix === '' ? secret.slice(0, Math.min(4, secret.length >> 2)) : prefix}…`;
}

/**
 * A text that nobody knows anything of, such as what was given for a setting, with whatever looks like a key in it
 * shortened, and the user and password of a URL left out. Words, numbers, hosts, paths and dates stay.
 */
export function shortenKeyLike(text: string): string {
  const ranges: Range[] = [];
  findKeyLike(text.slice(0, longestShown), (from, to) => {
    ranges.push([from, to]);
  });
  const shown = withoutRanges(text.slice(0, longestShown), merged(ranges));
  return text.length > longestShown ? `${shown}…` : shown;
}
