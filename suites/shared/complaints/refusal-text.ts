import { isObject } from '../../../common/json.ts';

/** Most characters of one text, of one name, and of all texts. */
const mostOfText = 2_000;
const mostOfName = 100;
const mostInAll = 16_000;

/** Separates the names of a path: `body -> slot -> from`. */
const arrow = /(?<=[\w\]])[ \t]?(?:->|[→»])[ \t]?(?=\w)/g;

const shortened = (text: string): string =>
  text
    .slice(0, 2 * mostOfText)
    .replace(arrow, '.')
    .replace(/\s+/g, (blanks) => (blanks.includes('\n') ? '\n' : ' '))
    .slice(0, mostOfText);

/**
 * A refusal, abridged to the length that a person would read: the patterns that find fields in sentences are slow on
 * long texts and on long stretches of blanks.
 */
export function abridged(value: unknown): unknown {
  let room = mostInAll;
  const take = (text: string): string => {
    const taken = shortened(text).slice(0, Math.max(0, room));
    room -= taken.length;
    return taken;
  };
  const copy = (one: unknown): unknown => {
    if (typeof one === 'string') {
      return take(one);
    }
    if (Array.isArray(one)) {
      return one.map(copy);
    }
    return isObject(one)
      ? Object.fromEntries(Object.entries(one).map(([name, held]) => [name.slice(0, mostOfName), copy(held)]))
      : one;
  };
  return copy(value);
}
