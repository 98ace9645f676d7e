import { isObject } from '../../../common/json.ts';

/** Most characters of one text, of a name, and of all texts. */
const [mostOfText, mostOfName, mostInAll] = [2_000, 100, 16_000];

/** Between the names of a path: `body -> slot -> from`. */
const arrow = /(?<=[\w\]])[ \t]?(?:->|[→»])[ \t]?(?=\w)/g;

const shortened = (text: string): string =>
  text
    .slice(0, 2 * mostOfText)
    .replace(arrow, '.')
    .replace(/\s+/g, (blanks) => (blanks.includes('\n') ? '\n' : ' '))
    .slice(0, mostOfText);

/**
 * What a refusal says, at the length to which a person would read it: the patterns that look for fields in sentences take long
 * on long texts, and on long stretches of blanks.
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
