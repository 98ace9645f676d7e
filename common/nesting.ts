import { mostValues } from './json.ts';
import type { Failure } from './transport-failure.ts';
import { thousands } from './words.ts';

/** No sane answer nests deeper, and everything that walks, compares or prints parsed JSON can go this deep. */
const deepest = 500;

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const isOpening = (byte: number): boolean => byte === 0x5b || byte === 0x7b;
const isClosing = (byte: number): boolean => byte === 0x5d || byte === 0x7d;

const blanks = new Set([0x20, 0x09, 0x0a, 0x0d]);

/**
 * Why a JSON text must not be parsed: it nests too deep, or holds more than `most` values, each of which costs far more
 * memory than its text. null if it may be parsed. Whether the text is JSON at all is not checked.
 */
export function jsonTrouble(text: Uint8Array, most = mostValues): Failure | null {
  const first = text.findIndex((byte) => !blanks.has(byte));
  if (!isOpening(text[first] ?? 0)) {
    return null;
  }
  let [depth, values, inString] = [0, 1, false];
  for (let i = first; i < text.length; i += 1) {
    const byte = text[i] ?? 0;
    if (inString) {
      if (byte === backslash) {
        i += 1;
      } else if (byte === quote) {
        inString = false;
      }
    } else if (byte === quote) {
      inString = true;
    } else if (isOpening(byte)) {
      depth += 1;
      values += 1;
      if (depth > deepest) {
        return { kind: 'too-deep', message: `Body is nested deeper than ${deepest} levels` };
      }
    } else if (isClosing(byte)) {
      depth -= 1;
    } else if (byte === comma) {
      values += 1;
    }
  }
  return values > most ? { kind: 'too-large', message: `Body contains more than ${thousands(most)} values` } : null;
}
