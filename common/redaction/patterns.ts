import { keyPrefix } from '../../contract/scopes.ts';
import { backwards, codesOf, fold, foldedText } from './characters.ts';
import { unmarked } from './groups.ts';
import { keyPrefixes, reportKey, type Searched } from './key-prefixes.ts';
import { type PublicWords, publicWords, runLength } from './public-words.ts';
import { createQuads, quad } from './quads.ts';
import type { Report } from './ranges.ts';

/** A secret's prefix and so many characters behind it must not be shown. */
const leastBehindPrefix = 3;
/** How many characters of one secret, and of all together, are remembered: more would only fill the memory. */
const [longestSecret, mostCharacters] = [16_384, 131_072];

/**
 * The part of a secret that may be shown: one or two names with an underscore behind each, such as `svc_test_`; often
 * empty.
 */
export function prefixOf(secret: string): string {
  const prefix = /^(?:[a-z]{2,12}_){1,2}/.exec(secret)?.[0] ?? '';
  return prefix.length <= secret.length / 2 || Object.values<string>(keyPrefix).includes(prefix) ? prefix : '';
}

/** The parts of secrets that are searched for. */
export interface Patterns {
  add(secret: string): void;
  /** Whether any secret includes a blank. */
  readonly haveBlanks: boolean;
  /**
   * Reports the parts of secrets in a text, forwards and backwards. Takes time by the text's length, however many
   * secrets there are.
   */
  search(codes: Uint16Array, report: Report): void;
}

/** A secret's prefix with the three to seven characters behind it, which are too few to be a run of the random part. */
interface Beginning {
  readonly text: string;
  /** The place in `text` of the eight characters under which it is found. */
  readonly at: number;
  /** The part of `text` that must not be shown. */
  readonly from: number;
  readonly to: number;
}

/** How many beginnings with the same last eight characters are searched for. Only a hostile deployment makes more. */
const maxSameEnding = 16;

/** Every run includes a quad at a multiple of the stride. */
const stride = runLength - quad + 1;

/**
 * Patterns that hold no secret yet, only the prefixes of the developer API's keys. `ownWords` are texts that are no
 * secret.
 */
export function createPatterns(ownWords: readonly string[]): Patterns {
  const words = publicWords(ownWords);
  const quads = createQuads();
  /** The runs of secrets, as numbers. */
  const runs = new Set<number>();
  /** The runs under which beginnings and key prefixes are found. */
  const starts = new Set<number>();
  const beginnings = new Map<string, Beginning[]>();
  /** Prefixes that are shown, folded. What another secret has in common with them stays shown. */
  const shownPrefixes = new Set<string>();
  let [characters, haveBlanks] = [0, false];

  /** Adds the run at a place to a set of runs, and its quads to the filter. */
  const addTo = (known: Set<number>, codes: Uint16Array, from: number): void => {
    known.add(numberOf(codes, from));
    for (let i = from; i + quad <= from + runLength; i += 1) {
      quads.add(codes, i);
    }
  };
  const addStart = (run: string): void => addTo(starts, codesOf(run), 0);
  const addBeginning = (beginning: Beginning): void => {
    const run = beginning.text.slice(beginning.at, beginning.at + runLength);
    const known = beginnings.get(run) ?? [];
    if (known.length < maxSameEnding && !known.some(({ text }) => text === beginning.text)) {
      beginnings.set(run, [...known, beginning]);
      addStart(run);
    }
  };
  for (const run of keyPrefixes.keys()) {
    addStart(run);
  }

  const reportRun = (codes: Uint16Array, from: number, searched: Searched, report: Report): void => {
    const number = numberOf(codes, from);
    if (runs.has(number)) {
      report(from, from + runLength);
    }
    if (!starts.has(number)) {
      return;
    }
    const run = foldedText(codes, from, from + runLength);
    for (const beginning of beginnings.get(run) ?? []) {
      reportBeginning(codes, from - beginning.at, beginning, report);
    }
    const prefix = keyPrefixes.get(run);
    if (prefix !== undefined) {
      reportKey(codes, from, prefix, searched, report);
    }
  };

  return {
    get haveBlanks() {
      return haveBlanks;
    },
    add(secret) {
      const known = secret.slice(0, longestSecret);
      haveBlanks ||= known.includes(' ');
      characters += known.length;
      if (characters > mostCharacters) {
        return;
      }
      for (const text of formsOf(known)) {
        const folded = foldedText(codesOf(text), 0, text.length);
        const from = Math.max(
          randomFrom(text),
          ...[...shownPrefixes].map((prefix) => (folded.startsWith(prefix) ? prefix.length : 0)),
        );
        shownPrefixes.add(folded.slice(0, randomFrom(text)));
        const [codes, reversed] = [codesOf(folded), codesOf(backwards(folded))];
        for (const place of secretRuns(folded, from, words)) {
          addTo(runs, codes, place);
          addTo(runs, reversed, folded.length - runLength - place);
        }
        for (const beginning of beginningsOf(folded, from)) {
          addBeginning(beginning);
          addBeginning(mirrored(beginning));
        }
      }
    },
    search(codes, report) {
      const searched: Searched = { behind: 0, before: 0 };
      let last = -1;
      for (let at = 0; at + quad <= codes.length; at += stride) {
        if (!quads.has(codes, at)) {
          continue;
        }
        const first = Math.max(last + 1, at - runLength + quad);
        last = Math.min(at, codes.length - runLength);
        for (let from = first; from <= last; from += 1) {
          reportRun(codes, from, searched, report);
        }
      }
    },
  };
}

/**
 * The forms in which a secret is searched for: some servers read UTF-8 as Latin-1, in forms a + stands for a blank, and
 * among groups marks are left out.
 */
function formsOf(secret: string): ReadonlySet<string> {
  const prefix = prefixOf(secret);
  const inGroups = prefix + unmarked(secret.slice(prefix.length));
  return new Set([secret, Buffer.from(secret).toString('latin1'), secret.replaceAll(' ', '+'), inGroups]);
}

/**
 * The first printable character, and the base of `numberOf`: 98 to the eighth power is the most that a double holds
 * exactly.
 */
const [printable, symbols] = [0x20, 98];

/**
 * A run as one number, in lower case. Runs of printable ASCII, which has 69 characters without capitals, all have
 * different ones.
 */
function numberOf(codes: Uint16Array, from: number): number {
  let number = 0;
  for (let i = from; i < from + runLength; i += 1) {
    number = number * symbols + ((fold(codes[i] ?? 0) - printable + symbols) % symbols);
  }
  return number;
}

/** Where the random part of a secret begins; 0 if fewer than eight characters would be left. */
const randomFrom = (secret: string): number => {
  const prefix = prefixOf(secret).length;
  return secret.length - prefix < runLength ? 0 : prefix;
};

/** Where the runs of the random part begin, leaving out those that are public words. */
function secretRuns(secret: string, from: number, words: PublicWords): number[] {
  const all = Array.from({ length: Math.max(0, secret.length - runLength + 1 - from) }, (_, i) => from + i);
  return all.filter((place) => !words.holds(secret.slice(place, place + runLength)));
}

/** The beginnings of a secret that has a prefix. */
function beginningsOf(secret: string, from: number): Beginning[] {
  const ends = Array.from({ length: runLength - leastBehindPrefix }, (_, i) => from + leastBehindPrefix + i);
  return ends
    .filter((to) => from > 0 && to >= runLength && new Set(secret.slice(from, to)).size > 1)
    .map((to) => ({ text: secret.slice(0, to), at: to - runLength, from, to }));
}

const mirrored = ({ text, at, from, to }: Beginning): Beginning => ({
  text: backwards(text),
  at: text.length - at - runLength,
  from: text.length - to,
  to: text.length - from,
});

function reportBeginning(codes: Uint16Array, at: number, { text, from, to }: Beginning, report: Report): void {
  if (at >= 0 && at + text.length <= codes.length && foldedText(codes, at, at + text.length) === text) {
    report(at + from, at + to);
  }
}
