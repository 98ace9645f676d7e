/** A part of a text, from the first character to before `to`. */
export type Range = readonly [from: number, to: number];

/** So many characters in a row of a secret may not be shown. Fewer occur in plain words, too. */
export const windowLength = 8;
/** Of hexadecimal digits, twice as many: fewer occur by chance in ids and digests, such as one block of a UUID. */
const hexLength = 2 * windowLength;
const isHex = (text: string): boolean => text.length >= hexLength && /^[\da-f-]+$/.test(text);

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
    /** Adds the windows of a form, except those that `isPublic`. */
    add(form: string, isPublic: (window: string) => boolean): void {
      const folded = lowerCase(form);
      const length = isHex(folded) ? hexLength : windowLength;
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
      return ranges;
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
