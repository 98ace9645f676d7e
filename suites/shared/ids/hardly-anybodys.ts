/** How much of the ends of ids is compared, and in how many places they have to differ. */
const [compared, different] = [8, 5];
/** Ids that are counted lie this close to one another, and one that is made up this far ahead of them. */
const [closeBy, farAhead] = [1_000_000, 1_000_000_000];

/** Whether an id that was made up like some that were given out one after the other is hardly anybody's. */
export const isHardlyAnybodys = (id: string, givenOut: readonly string[]): boolean =>
  givenOut.length > 2 && (areScattered(givenOut) || isFarAhead(id, givenOut));

/** Each two differ nearly everywhere at their ends, and not in digits alone: they are drawn at random. */
const areScattered = (ids: readonly string[]): boolean =>
  ids.every((id) => endOf(id).length === compared) &&
  ids.some((id) => /[A-Za-z]/.test(endOf(id))) &&
  ids.every((id, index) => ids.slice(0, index).every((other) => differences(id, other) >= different));

const endOf = (id: string): string => id.replace(/[^A-Za-z0-9]/g, '').slice(-compared);

function differences(one: string, other: string): number {
  const [end, otherEnd] = [endOf(one), endOf(other)];
  return [...end].filter((character, index) => character !== otherEnd[index]).length;
}

/** They are counted, and it is a number that the count will not reach for long. */
function isFarAhead(id: string, ids: readonly string[]): boolean {
  const numbers = ids.map(counted);
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  return most - least < closeBy && counted(id) - most >= farAhead;
}

/** The number that an id is, behind a prefix or alone; NaN: it is none. */
const counted = (id: string): number => Number(/^[A-Za-z]{0,10}[_-]?(\d{1,15})$/.exec(id)?.[1] ?? Number.NaN);
