import { clauses } from '../contract/clauses.ts';
import { endpoints } from '../contract/endpoints.ts';
import { developerErrorCodes, invalidApiKey } from '../contract/errors.ts';
import { eventKinds } from '../contract/events.ts';
import { keyPrefix, scopes } from '../contract/scopes.ts';
import { settings } from '../contract/settings.ts';
import { isObject, isScalar, parseJson } from './json.ts';
import { prefixOf } from './redaction/key-like.ts';

/** Removes every secret that it has learnt from texts, in the forms that clients, servers and logs write (`formsOf`). */
export type Redactor = ReturnType<typeof createRedactor>;

/** Most characters of one secret, and of all: a hostile deployment must not fill the memory. No key is so long. */
const most = { secret: 4_096, all: 131_072 } as const;

/** So many characters in a row of a secret may not be shown. Fewer occur in plain words, too. */
const windowLength = 8;
/** In hexadecimal digits, so many show eight characters; fewer occur by chance in ids and digests. */
const hexLength = 2 * windowLength;

/** A key of the developer API, whoever's it is. */
const developerKey = new RegExp(`(${Object.values(keyPrefix).join('|')})([\\w~.+/=-]{6,})`, 'gi');
/** A text of only one or two different characters, such as a mask: `svc_test_******`. */
const monotonous = /^(.)\1*(?:(?!\1)(.)(?:\1|\2)*)?$/su;

/**
 * A redactor that so far knows only what the developer API's keys look like. `ownWords` are never secret, such as the
 * run's tag.
 */
export function createRedactor(ownWords: readonly string[] = []) {
  const windows = createWindows(ownWords);
  const secrets = new Set<string>();
  let characters = 0;

  /**
   * The text with `…` for each run of eight or more characters of a secret. The secret's prefix stays, and so do the
   * words of the documents. Idempotent. In a document, clean the values, not the text: a secret may look like syntax.
   */
  const clean = (text: string): string =>
    text.length < windowLength
      ? text
      : windows
          .hide(text)
          .replace(developerKey, (key, prefix: string, rest: string) => (monotonous.test(rest) ? key : `${prefix}…`));
  /**
   * A JSON value with all strings, numbers and field names cleaned; the same value if it holds no secret. Most do not,
   * and a value whose text shows none has none: secrets are known in the form that JSON gives them, too.
   */
  const cleanJson = <T>(value: T): T => {
    const text = JSON.stringify(value) ?? '';
    return clean(text) === text ? value : (cleanParsed(text, clean) as T);
  };

  return {
    /** Treats this text as a secret from now on. Texts under eight characters are ignored. */
    learn(secret: string): void {
      const known = secret.slice(0, most.secret);
      if (known.length < windowLength || secrets.has(secret) || characters + known.length > most.all) {
        return;
      }
      secrets.add(secret);
      characters += known.length;
      const prefix = prefixOf(known).length;
      // Behind a prefix, a few characters are searched for together with its end.
      const from = known.length - prefix < windowLength ? Math.max(0, prefix - windowLength + 1) : prefix;
      for (const text of formsOf(known.slice(from))) {
        windows.add(text, windowLength);
      }
      windows.add(Buffer.from(known.slice(from)).toString('hex'), hexLength);
    },
    /** Whether a text includes the run's own words and has no secret's prefix: then it is a name, say, and no secret. */
    isOwn: (text: string): boolean => prefixOf(text) === '' && ownWords.some((words) => text.includes(words)),
    clean,
    cleanJson,
    /** A body, cleaned as text and as the JSON in it; a text of JSON by its values. `json`: the parsed text, where known. */
    cleanBody(text: string, json = parseJson(text)): { readonly text: string; readonly json: unknown } {
      if (json === undefined) {
        return { text: clean(text), json };
      }
      // Without escapes, the text shows all that its values do, and a field that occurs twice, which they do not.
      const isClean = clean(text) === text;
      const cleaned = isClean && !text.includes('\\') ? json : cleanJson(json);
      return { text: isClean && cleaned === json ? text : JSON.stringify(cleaned), json: cleaned };
    },
  };
}

/** The value of a JSON text with its strings, numbers and field names cleaned. */
const cleanParsed = (json: string, clean: (text: string) => string): unknown =>
  JSON.parse(json, (_, part: unknown) => {
    if (isObject(part)) {
      return Object.fromEntries(Object.entries(part).map(([name, item]) => [clean(name), item]));
    }
    const cleaned = isScalar(part) ? clean(String(part)) : part;
    return cleaned === String(part) ? part : cleaned;
  });

/**
 * A secret as clients, servers and logs write it, except in hexadecimal digits: as it is, percent-encoded once or twice,
 * as a form, in JSON, in HTML, and in base64 at each of the three alignments, so that it is found in basic credentials
 * and within longer texts, too. The windows are compared in any case.
 */
function formsOf(secret: string): ReadonlySet<string> {
  const percent = encodeURIComponent(secret.toWellFormed());
  return new Set([
    secret,
    percent,
    encodeURIComponent(percent),
    new URLSearchParams({ '': secret }).toString().slice(1),
    JSON.stringify(secret).slice(1, -1),
    secret.replace(/[&<>"']/g, (character) => references[character] ?? character),
    ...[0, 1, 2].flatMap((before) => base64At(secret, before)),
  ]);
}

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** The secret in base64 and base64url behind so many other bytes, without the symbols that hold bits of others. */
function base64At(secret: string, before: number): string[] {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
  const from = Math.ceil((before * 8) / 6);
  const to = Math.floor((bytes.length * 8) / 6);
  return [bytes.toString('base64').slice(from, to), bytes.toString('base64url').slice(from, to)];
}

/** The words of the two documents, which reports must show whole even if a secret includes them. */
const documented = JSON.stringify([
  ...[clauses, endpoints, settings, eventKinds],
  ...[scopes, keyPrefix, developerErrorCodes, invalidApiKey],
]).split(/[\s",]+/);

const windowsOf = (texts: readonly string[]): ReadonlySet<string> =>
  new Set(
    [...new Set(texts.map((text) => text.toLowerCase()))].flatMap((text) =>
      Array.from({ length: Math.max(0, text.length - windowLength + 1) }, (_, i) => text.slice(i, i + windowLength)),
    ),
  );
const documentedWindows = windowsOf(documented);

/** A part of a text, from the first character to before `to`. */
type Range = readonly [from: number, to: number];

/** The slot of a filter for the four characters at a place of a text: no window begins where its slot is empty. */
const slots = 1 << 18;
const slotAt = (text: string, at: number): number =>
  ((text.charCodeAt(at) << 15) ^
    (text.charCodeAt(at + 1) << 10) ^
    (text.charCodeAt(at + 2) << 5) ^
    text.charCodeAt(at + 3)) &
  (slots - 1);

/** The written forms of secrets, cut to their windows: every part that may not be shown. All of them in lower case. */
function createWindows(ownWords: readonly string[]) {
  const known = new Set<string>();
  const filter = new Uint8Array(slots);
  const ownWindows = windowsOf(ownWords);
  /** Words of the documents and of the run, and what has one or two different characters, and so gives nothing away. */
  const isPublic = (window: string): boolean =>
    documentedWindows.has(window) || ownWindows.has(window) || monotonous.test(window);
  return {
    /** Adds the windows of a form, of this length, except public ones. */
    add(form: string, length: number): void {
      const folded = lowerCase(form);
      for (let from = 0; from + length <= folded.length; from += 1) {
        const window = folded.slice(from, from + length);
        if (!isPublic(window)) {
          known.add(window);
          filter[slotAt(window, 0)] = 1;
        }
      }
    },
    /** The text with `…` for each part that holds windows, in any case. Takes time by the text's length alone. */
    hide(text: string): string {
      const folded = lowerCase(text);
      const found: [number, number][] = [];
      for (let from = 0; from + windowLength <= folded.length; from += 1) {
        const isFree = filter[slotAt(folded, from)] === 0;
        for (const length of isFree ? [] : [windowLength, hexLength]) {
          if (known.has(folded.slice(from, from + length))) {
            join(found, from, from + length);
          }
        }
      }
      const ranges = found.length === 0 ? found : exceptInUuids(found, folded);
      return [0, ...ranges.map(([, to]) => to)].map((from, index) => text.slice(from, ranges[index]?.[0])).join('…');
    },
  };
}

const uuid = /(?<![\w-])[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\w-])/g;
const longestBlock = 12;

/**
 * The ranges without those within one block of a UUID: among thousands of UUIDs, some share eight digits with a
 * hexadecimal secret by chance, and clauses judge UUIDs as a whole.
 */
function exceptInUuids(ranges: readonly Range[], text: string): Range[] {
  const uuids = [...text.matchAll(uuid)].map(({ index, 0: { length } }): Range => [index, index + length]);
  return ranges.filter(
    ([from, to]) => to - from > longestBlock || !uuids.some(([first, last]) => first <= from && to <= last),
  );
}

function join(ranges: [number, number][], from: number, to: number): void {
  const last = ranges.at(-1);
  if (last !== undefined && from <= last[1]) {
    last[1] = Math.max(last[1], to);
  } else {
    ranges.push([from, to]);
  }
}

/** The text in lower case, with every character in its place: `İ` alone would become two. */
const lowerCase = (text: string): string => text.replaceAll('İ', 'I').toLowerCase();
