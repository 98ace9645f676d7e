import { keyPrefix } from '../../contract/scopes.ts';
import { backwards, codesOf, fold, foldedText } from './characters.ts';
import { looks, reportLook, type Seen } from './looks.ts';
import { leastRun, type PublicWords, publicWords } from './public-words.ts';
import type { Report } from './ranges.ts';

/** How many characters behind a secret's prefix are enough to be its beginning. */
const leastBehindPrefix = 3;
/** How much of one secret, and of all together, is remembered: more would only fill the memory. */
const [longestSecret, mostCharacters] = [16_384, 131_072];

/** What may be shown of a secret: the name before its random part, which ends in one or two underscores. */
export function prefixOf(secret: string): string {
  const prefix = /^(?:[a-z]{2,12}_){1,2}/.exec(secret)?.[0] ?? '';
  return prefix.length <= secret.length / 2 || Object.values<string>(keyPrefix).includes(prefix) ? prefix : '';
}

/** What is searched for. */
export interface Patterns {
  add(secret: string): void;
  /** Whether any of it holds a blank. */
  readonly haveBlanks: boolean;
  /** Reports what stands there of a secret, forwards or backwards. Its time grows with the text, not with the secrets. */
  search(codes: Uint16Array, report: Report): void;
}

/** A secret's prefix and what stands behind it: too short to be a run, and its beginning all the same. */
interface Beginning {
  readonly text: string;
  /** Where in it the eight characters stand under which it is found. */
  readonly at: number;
  /** The part that must not be shown. */
  readonly from: number;
  readonly to: number;
}

/** How many beginnings with the same last eight characters are looked for: only a hostile deployment makes more. */
const mostAlike = 16;

/** Every run of eight characters holds a quad at one of these places: no other is looked up. */
const quad = 4;
const stride = leastRun - quad + 1;

/** Patterns that hold no secret yet, only what keys of the developer API look like. `ownWords`: texts that are no secret. */
export function createPatterns(ownWords: readonly string[] = []): Patterns {
  const words = publicWords(ownWords);
  const filter = new Uint8Array(1 << 17);
  const quads = new Set<number>();
  const runs = new Set<number>();
  /** The runs that beginnings and looks are found under. */
  const starts = new Set<number>();
  const beginnings = new Map<string, Beginning[]>();
  let [characters, haveBlanks] = [0, false];

  /** The run that begins there is looked up from now on, in that set. */
  const addTo = (known: Set<number>, codes: Uint16Array, from: number): void => {
    known.add(numberOf(codes, from));
    for (let i = from; i + quad <= from + leastRun; i += 1) {
      const key = quadAt(codes, i);
      const slot = slotOf(key);
      quads.add(key);
      filter[slot >> 3] = (filter[slot >> 3] ?? 0) | (1 << (slot & 7));
    }
  };
  const addStart = (run: string): void => addTo(starts, codesOf(run), 0);
  const addBeginning = (beginning: Beginning): void => {
    const run = beginning.text.slice(beginning.at, beginning.at + leastRun);
    const known = beginnings.get(run) ?? [];
    if (known.length < mostAlike && !known.some(({ text }) => text === beginning.text)) {
      beginnings.set(run, [...known, beginning]);
      addStart(run);
    }
  };
  for (const run of looks.keys()) {
    addStart(run);
  }

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
      // In latin1, as some servers read UTF-8; with the + that stands for a blank in forms.
      for (const text of new Set([known, Buffer.from(known).toString('latin1'), known.replaceAll(' ', '+')])) {
        const folded = foldedText(codesOf(text), 0, text.length);
        const from = randomFrom(text);
        const [codes, reversed] = [codesOf(folded), codesOf(backwards(folded))];
        for (const place of secretRuns(folded, from, words)) {
          addTo(runs, codes, place);
          addTo(runs, reversed, folded.length - leastRun - place);
        }
        for (const beginning of beginningsOf(folded, from)) {
          addBeginning(beginning);
          addBeginning(mirrored(beginning));
        }
      }
    },
    search(codes, report) {
      const seen: Seen = { behind: 0, before: 0 };
      let last = -1;
      for (let at = 0; at + quad <= codes.length; at += stride) {
        const key = quadAt(codes, at);
        const slot = slotOf(key);
        if ((((filter[slot >> 3] ?? 0) >> (slot & 7)) & 1) === 0 || !quads.has(key)) {
          continue;
        }
        const first = Math.max(last + 1, at - leastRun + quad);
        last = Math.min(at, codes.length - leastRun);
        for (let from = first; from <= last; from += 1) {
          const number = numberOf(codes, from);
          if (runs.has(number)) {
            report(from, from + leastRun);
          }
          if (!starts.has(number)) {
            continue;
          }
          const run = foldedText(codes, from, from + leastRun);
          for (const beginning of beginnings.get(run) ?? []) {
            reportBeginning(codes, from - beginning.at, beginning, report);
          }
          const look = looks.get(run);
          if (look !== undefined) {
            reportLook(codes, from, look, seen, report);
          }
        }
      }
    },
  };
}

/** The last seven bits of each character, folded. */
const folded = Uint8Array.from({ length: 0x80 }, (_, code) => fold(code));
const bitsOf = (code: number): number => folded[code & 0x7f] ?? 0;

/** Four characters as one number. */
const quadAt = (codes: Uint16Array, at: number): number =>
  bitsOf(codes[at] ?? 0) |
  (bitsOf(codes[at + 1] ?? 0) << 7) |
  (bitsOf(codes[at + 2] ?? 0) << 14) |
  (bitsOf(codes[at + 3] ?? 0) << 21);

/** Printable ASCII without upper case has 69 characters; 98 to the power of eight is the most that a number holds. */
const [printable, symbols] = [0x20, 98];

/** Eight characters, without case, as one number: of printable ones each run has its own. */
function numberOf(codes: Uint16Array, from: number): number {
  let number = 0;
  for (let i = from; i < from + leastRun; i += 1) {
    number = number * symbols + ((fold(codes[i] ?? 0) - printable + symbols) % symbols);
  }
  return number;
}

/** The bit of the filter that stands for it: most quads of a text are told apart from all that are wanted by it alone. */
const slotOf = (key: number): number => Math.imul(key, 0x9e3779b1) >>> 12;

/** The place at which the random part begins; where little is random, all of it is. */
const randomFrom = (secret: string): number => {
  const prefix = prefixOf(secret).length;
  return secret.length - prefix < leastRun ? 0 : prefix;
};

/** Where the runs of eight characters of the random part begin that are not public. */
function secretRuns(secret: string, from: number, words: PublicWords): number[] {
  const all = Array.from({ length: Math.max(0, secret.length - leastRun + 1 - from) }, (_, i) => from + i);
  return all.filter((place) => !words.holds(secret.slice(place, place + leastRun)));
}

/** The secret's beginnings, from three characters behind its prefix on until they hold a run. */
function beginningsOf(secret: string, from: number): Beginning[] {
  const ends = Array.from({ length: leastRun - leastBehindPrefix }, (_, i) => from + leastBehindPrefix + i);
  return ends
    .filter((to) => from > 0 && to >= leastRun && new Set(secret.slice(from, to)).size > 1)
    .map((to) => ({ text: secret.slice(0, to), at: to - leastRun, from, to }));
}

const mirrored = ({ text, at, from, to }: Beginning): Beginning => ({
  text: backwards(text),
  at: text.length - at - leastRun,
  from: text.length - to,
  to: text.length - from,
});

function reportBeginning(codes: Uint16Array, at: number, { text, from, to }: Beginning, report: Report): void {
  if (at >= 0 && at + text.length <= codes.length && foldedText(codes, at, at + text.length) === text) {
    report(at + from, at + to);
  }
}
