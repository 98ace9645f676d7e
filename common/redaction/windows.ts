/** A part of a text, from the first character to before `to`. */
export type Range = readonly [from: number, to: number];

/** So many characters in a row of a secret may not be shown. Fewer occur in plain words, too. */
export const windowLength = 8;
/** In hexadecimal digits, so many show eight characters; fewer occur by chance in ids and digests. */
export const hexLength = 2 * windowLength;

/** How many slots a filter has for the first four characters of windows, and how a character changes the slot. */
const slots = 1 << 20;
const nextSlot = (slot: number, code: number): number => ((slot << 5) ^ code) & (slots - 1);
/** A character is shifted out of the slot after so many others. */
const filtered = 4;

function slotOf(text: string): number {
  let slot = 0;
  for (let at = 0; at < text.length; at += 1) {
    slot = nextSlot(slot, text.charCodeAt(at));
  }
  return slot;
}

/** The written forms of secrets, cut to their windows: every part that may not be shown. All of them in lower case. */
export function createWindows() {
  const known = new Set<string>();
  const filter = new Uint8Array(slots);
  return {
    /** Adds the windows of a form, of this length, except those that `isPublic`. */
    add(form: string, length: number, isPublic: (window: string) => boolean): void {
      const folded = lowerCase(form);
      for (let from = 0; from + length <= folded.length; from += 1) {
        const window = folded.slice(from, from + length);
        if (!isPublic(window)) {
          known.add(window);
          filter[slotOf(window.slice(0, filtered))] = 1;
        }
      }
    },
    /** The parts of a text that hold windows, in any case, in order. Takes time by the text's length alone. */
    find(text: string): Range[] {
      const folded = lowerCase(text);
      const ranges: [number, number][] = [];
      let slot = 0;
      for (let at = 0; at < folded.length; at += 1) {
        slot = nextSlot(slot, folded.charCodeAt(at));
        if (filter[slot] === 0) {
          continue;
        }
        const from = at - filtered + 1;
        for (const length of [windowLength, hexLength]) {
          if (from >= 0 && known.has(folded.slice(from, from + length))) {
            join(ranges, from, from + length);
          }
        }
      }
      return ranges.length === 0 ? ranges : exceptInUuids(ranges, folded);
    },
  };
}

function join(ranges: [number, number][], from: number, to: number): void {
  const last = ranges.at(-1);
  if (last !== undefined && from <= last[1]) {
    last[1] = Math.max(last[1], to);
  } else {
    ranges.push([from, to]);
  }
}

/** The text in lower case, with every character in its place: a few letters become two. */
function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase());
}

const uuid = /(?<![\w-])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\w-])/g;
const longestBlock = 12;

/**
 * The ranges without those within one block of a UUID: among thousands of UUIDs, some share eight digits with a
 * hexadecimal secret by chance, and clauses judge UUIDs as a whole.
 */
function exceptInUuids(ranges: readonly Range[], text: string): Range[] {
  const isLong = ([from, to]: Range): boolean => to - from > longestBlock;
  if (ranges.every(isLong)) {
    return [...ranges];
  }
  const uuids = [...text.matchAll(uuid)].map(({ index, 0: { length } }): Range => [index, index + length]);
  return ranges.filter((range) => isLong(range) || !uuids.some(([from, to]) => from <= range[0] && range[1] <= to));
}
