import { textInBase64 } from '../reading/unguessable.ts';

/** How many characters at the ends of ids are compared, and in how many of them ids differ that are drawn at random. */
const [compared, different] = [8, 5];
/** Counted ids lie this close to one another, and a made-up number has to lie this far ahead of them. */
const [closeBy, farAhead] = [1_000_000, 1_000_000_000];

/** Whether an id that was made up like these, which the deployment gave out, is almost certainly unused. */
export const isAlmostCertainlyUnused = (id: string, givenOut: readonly string[]): boolean =>
  areScattered(givenOut) || isFarAhead(id, givenOut);

/**
 * Whether ids are drawn at random: there are several, any two of them differ nearly everywhere at their ends, and they
 * are not digits alone. Hardly any is given out twice.
 */
export const areScattered = (ids: readonly string[]): boolean =>
  ids.length > 2 &&
  ids.every((id) => endOf(id).length === compared) &&
  ids.some((id) => /[A-Za-z]/.test(endOf(id))) &&
  ids.every((id, index) => ids.slice(0, index).every((other) => differences(id, other) >= different));

const endOf = (id: string): string => id.replace(/[^A-Za-z0-9]/g, '').slice(-compared);

function differences(one: string, other: string): number {
  const [end, otherEnd] = [endOf(one), endOf(other)];
  return [...end].filter((character, index) => character !== otherEnd[index]).length;
}

/** Whether several ids are counted, and this one is a number that the count will not reach for long. */
export function isFarAhead(id: string, ids: readonly string[]): boolean {
  const numbers = [...new Set(ids)].map(numberIn);
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  return numbers.length > 1 && most - least < closeBy && numberIn(id) - most >= farAhead;
}

/** The number that an id is, with or without a prefix or a path before it; NaN: it is no number. */
function numberIn(id: string): number {
  const path = /^.*\D(\d{1,15})$/.exec(textInBase64(id) ?? '');
  const [, number] = path ?? /^[A-Za-z]{0,10}[_-]?(\d{1,15})$/.exec(id) ?? [];
  return Number(number ?? Number.NaN);
}
