const digits = '0123456789';
const letters = 'abcdefghijklmnopqrstuvwxyz';
/** Base 32 as in ULIDs: the letters that look like digits, and u, are left out. */
const base32Letters = 'abcdefghjkmnpqrstvwxyz';
const hexLetters = 'abcdef';

/** The letters that the last part of an id or key is made of: a changed one stays well-formed. */
function lettersOf(text: string): string {
  const tail = text.replace(/^.*[^0-9A-Za-z](?=[0-9A-Za-z])/s, '');
  if (/^[0-9a-f]*$/i.test(tail)) {
    return hexLetters;
  }
  return /[ilou]/i.test(tail) ? letters : base32Letters;
}

/**
 * Another character of the same kind. The steps are so large that other bits of a base64 text change than those that its
 * last character may leave unused.
 */
function turned(character: string, lowerCase: string): string {
  const turn = (wheel: string, step: number): string => wheel.charAt((wheel.indexOf(character) + step) % wheel.length);
  const step = lowerCase === hexLetters ? 3 : 16;
  if (digits.includes(character)) {
    return turn(digits, 4);
  }
  return turn(lowerCase.includes(character) ? lowerCase : lowerCase.toUpperCase(), step);
}

/** The last letters and digits, four if not told otherwise, replaced by others of their kind: none stays as it is. */
export function altered(text: string, count = 4): string {
  const lowerCase = lettersOf(text);
  const places = [...text.matchAll(/[0-9A-Za-z]/g)].map(({ index }) => index).slice(-count);
  return [...text].map((one, index) => (places.includes(index) ? turned(one, lowerCase) : one)).join('');
}

/** The letter or digit at the place, or the nearest before it, replaced by another of its kind. */
export function alteredAt(text: string, index: number): string {
  return altered(text.slice(0, index + 1), 1) + text.slice(index + 1);
}
