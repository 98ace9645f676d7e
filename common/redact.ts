import { isObject, isScalar, type JsonObject, parseJson } from './json.ts';
import { jsonTrouble } from './nesting.ts';
import { findSecrets } from './redaction/find-secrets.ts';
import { findKeyLike } from './redaction/key-like.ts';
import { createPatterns, prefixOf } from './redaction/patterns.ts';
import { runLength } from './redaction/public-words.ts';
import { merged, type Range, withoutRanges } from './redaction/ranges.ts';
import { createScratch } from './redaction/search-layers.ts';

/** Removes every secret that it has learnt from texts, in whatever encoding they hold it. */
export interface Redactor {
  /** Treats this text as a secret from now on. Texts under eight characters are ignored. */
  learn(secret: string): void;
  /** Whether a text includes the run's own words and has no secret's prefix: then it is a name, say, and no secret. */
  isOwn(text: string): boolean;
  readonly secrets: ReadonlySet<string>;
  /**
   * The text with `…` for each run of eight or more characters of a secret's random part, encoded or not (see
   * `findSecrets`). The secret's prefix stays. Idempotent. A text that was escaped for JSON, HTML, XML or Markdown
   * stays well-formed.
   */
  clean(text: string): string;
  /** A JSON value with all strings and field names cleaned; the same value if it holds no secret. */
  cleanJson(value: unknown): unknown;
  /**
   * The text of a body, cleaned. Where it is JSON whose values show a secret that the text does not, in a list of its
   * characters, say: the JSON without it. `json`: the parsed text, where that is known.
   */
  cleanBody(text: string, json?: unknown): string;
}

/**
 * Results are remembered, since the same texts come again and again (header lines, URLs, names, lists): texts of up to
 * so many characters, and so many characters in all. A text takes memory besides its characters, as if it were longer.
 */
const [longestRemembered, mostRemembered, besides] = [65_536, 1_048_576, 64];
/** How many characters of a setting's value are quoted. */
const longestShown = 4_096;

/**
 * A redactor that so far knows only what the developer API's keys look like. `ownWords` are never secret, such as the
 * run's tag.
 */
export function createRedactor(ownWords: readonly string[] = []): Redactor {
  const patterns = createPatterns(ownWords);
  const known = new Set<string>();
  const scratch = createScratch();
  const remembered = new Map<string, string>();
  let charactersRemembered = 0;

  function clean(text: string): string {
    if (text.length < runLength) {
      return text;
    }
    const before = remembered.get(text);
    if (before !== undefined) {
      return before;
    }
    const cleaned = withoutRanges(text, findSecrets(text, patterns, scratch));
    if (text.length <= longestRemembered) {
      if (charactersRemembered > mostRemembered) {
        forget();
      }
      charactersRemembered += text.length + besides;
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
      if (secret.length >= runLength && !known.has(secret)) {
        known.add(secret);
        patterns.add(secret);
        forget();
      }
    },
    isOwn: (text) => prefixOf(text) === '' && ownWords.some((words) => text.includes(words)),
    secrets: known,
    clean,
    cleanJson: (value) => cleanJson(value, clean),
    cleanBody: (text, json = readable(text)) => cleanBody(text, json, clean),
  };
}

function cleanBody(text: string, json: unknown, clean: (text: string) => string): string {
  const cleaned = clean(text);
  if (json === undefined || isClean(json, clean)) {
    return cleaned;
  }
  const left = readable(cleaned);
  return left !== undefined && isClean(left, clean) ? cleaned : JSON.stringify(cleanCopy(json, clean));
}

const readable = (text: string): unknown => (jsonTrouble(Buffer.from(text)) === null ? parseJson(text) : undefined);

/** A JSON value with all strings and field names cleaned; the same value, not a copy, if it holds no secret. */
export const cleanJson = (value: unknown, clean: (text: string) => string): unknown =>
  isClean(value, clean) ? value : cleanCopy(value, clean);

function isClean(value: unknown, clean: (text: string) => string): boolean {
  if (isScalar(value)) {
    return clean(String(value)) === String(value);
  }
  if (Array.isArray(value)) {
    return !holdsPieces(value, clean) && value.every((item) => isClean(item, clean));
  }
  if (!isObject(value)) {
    return true;
  }
  const isPiece = isIndexed(value) && holdsPieces(Object.values(value), clean);
  return !isPiece && Object.keys(value).every((name) => clean(name) === name && isClean(value[name], clean));
}

/** Longer items of a list are searched by themselves alone. */
const longestPiece = 16;

/** Whether an object is a list by its names, as JSON has a `Uint8Array`: `{"0":115,"1":118}`. */
const isIndexed = (value: JsonObject): boolean => Object.keys(value).every((name) => /^\d+$/.test(name));

/**
 * Whether the numbers and short texts of a list hold a secret in pieces: its bytes, its characters. Single items do not
 * show it, so they are cleaned as one text.
 */
function holdsPieces(list: readonly unknown[], clean: (text: string) => string): boolean {
  const short = list.flatMap((item) => (isScalar(item) && String(item).length <= longestPiece ? [String(item)] : []));
  // Beside longer items, one that holds a secret by itself is cleaned by itself.
  const pieces = short.length === list.length ? short : short.filter((item) => clean(item) === item);
  const text = pieces.join(' ');
  return pieces.length > 1 && clean(text) !== text;
}

function cleanCopy(value: unknown, clean: (text: string) => string): unknown {
  if (isScalar(value)) {
    return isClean(value, clean) ? value : clean(String(value));
  }
  if (Array.isArray(value)) {
    return holdsPieces(value, clean) ? ['…'] : value.map((item) => cleanCopy(item, clean));
  }
  if (!isObject(value)) {
    return value;
  }
  return isIndexed(value) && holdsPieces(Object.values(value), clean)
    ? { '…': '…' }
    : Object.fromEntries(Object.entries(value).map(([name, item]) => [clean(name), cleanCopy(item, clean)]));
}

/**
 * The part of a secret that may be shown: `svc_test_…`, `whsec_…`, or its first four characters (a quarter, if it is
 * short) and `…`.
 */
export function shorten(secret: string): string {
  const prefix = prefixOf(secret);
  return `${prefix === '' ? secret.slice(0, Math.min(4, secret.length >> 2)) : prefix}…`;
}

/**
 * A text that may hold any secret, such as the value of a setting, with everything shortened that looks like a key, and
 * without the user and password of a URL. Words, numbers, hosts, paths and dates stay.
 */
export function shortenKeyLike(text: string): string {
  const ranges: Range[] = [];
  findKeyLike(text.slice(0, longestShown), (from, to) => {
    ranges.push([from, to]);
  });
  const shown = withoutRanges(text.slice(0, longestShown), merged(ranges));
  return text.length > longestShown ? `${shown}…` : shown;
}
