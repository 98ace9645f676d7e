/** Deeper than any sane answer, and shallow enough for whatever walks, compares or prints what was parsed. */
export const deepest = 500;

const [quote, backslash] = [0x22, 0x5c];
const opening = new Set([0x5b, 0x7b]);
const closing = new Set([0x5d, 0x7d]);

/** Whether the text of a JSON document nests arrays and objects deeper than that; of another text it says nothing. */
export function isTooDeep(text: Uint8Array, most: number = deepest): boolean {
  let [depth, inString] = [0, false];
  for (let i = 0; i < text.length; i += 1) {
    const byte = text[i] ?? 0;
    if (inString) {
      if (byte === backslash) {
        i += 1;
      } else if (byte === quote) {
        inString = false;
      }
    } else if (byte === quote) {
      inString = true;
    } else if (opening.has(byte)) {
      depth += 1;
      if (depth > most) {
        return true;
      }
    } else if (closing.has(byte)) {
      depth -= 1;
    }
  }
  return false;
}
