import { backslash, percent } from './characters.ts';
import { ampersand, beginsEscape } from './escapes.ts';
import { leastRun } from './public-words.ts';
import type { Range } from './ranges.ts';

const blank = 0x20;

/** Whether anything in a text begins an escape, read forwards or backwards. */
const hasEscapes = (source: Uint16Array): boolean =>
  source.includes(percent) || source.includes(backslash) || source.includes(ampersand);

/**
 * The parts of a text in which anything begins an escape: its words, since no escape reaches over a blank; all of it where
 * `haveBlanks`, since what is searched for does.
 */
export function* escapedParts(source: Uint16Array, haveBlanks: boolean): Generator<Range> {
  if (!hasEscapes(source)) {
    return;
  }
  if (haveBlanks) {
    yield [0, source.length];
    return;
  }
  let [from, isEscaped] = [0, false];
  for (let at = 0; at <= source.length; at += 1) {
    const code = at < source.length ? (source[at] ?? 0) : blank;
    if (code === blank) {
      if (isEscaped && at - from >= leastRun) {
        yield [from, at];
      }
      [from, isEscaped] = [at + 1, false];
    } else {
      isEscaped ||= beginsEscape(code);
    }
  }
}
