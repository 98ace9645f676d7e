/** The digits and letters, lower case and upper case, that ids of a kind are written with. */
interface Alphabet {
  readonly digits: string;
  readonly lower: string;
  readonly upper: string;
  /** So large that other bits of a base64 text change than those that its last character may leave unused. */
  readonly step: number;
}

const digits = '0123456789';
const withLetters = (lower: string, step = 16): Alphabet => ({ digits, lower, upper: lower.toUpperCase(), step });

const plain = withLetters('abcdefghijklmnopqrstuvwxyz');
const hexadecimal = withLetters('abcdef', 3);
/** As in ULIDs: the letters that look like digits, and u, are left out. */
const base32 = withLetters('abcdefghjkmnpqrstvwxyz');
/** What looks like something else is left out: 0, O, I and l. */
const base58: Alphabet = {
  digits: digits.slice(1),
  lower: 'abcdefghijkmnopqrstuvwxyz',
  upper: 'ABCDEFGHJKLMNPQRSTUVWXYZ',
  step: 16,
};

/** What the last part of an id or key is made of: a changed one stays well-formed. */
function alphabetOf(text: string): Alphabet {
  const tail = text.replace(/^.*[^0-9A-Za-z](?=[0-9A-Za-z])/s, '');
  if (/^[0-9a-f]*$/i.test(tail)) {
    return hexadecimal;
  }
  if (/[a-z]/.test(tail) && /[A-Z]/.test(tail)) {
    return /[0OIl]/.test(tail) ? plain : base58;
  }
  return /[ilou]/i.test(tail) ? plain : base32;
}

/** Another character of the same kind. */
function turned(character: string, { step, ...alphabet }: Alphabet): string {
  const turn = (wheel: string, by: number): string => wheel.charAt((wheel.indexOf(character) + by) % wheel.length);
  if (alphabet.digits.includes(character)) {
    return turn(alphabet.digits, 4);
  }
  return turn(alphabet.lower.includes(character) ? alphabet.lower : alphabet.upper, step);
}

/** The last letters and digits, four by default, replaced by others of their kind: none stays as it is. */
export function altered(text: string, count = 4): string {
  const alphabet = alphabetOf(text);
  const places = [...text.matchAll(/[0-9A-Za-z]/g)].map(({ index }) => index).slice(-count);
  return [...text].map((one, index) => (places.includes(index) ? turned(one, alphabet) : one)).join('');
}

/** The letter or digit at the place, or the nearest before it, replaced by another of its kind. */
export function alteredAt(text: string, index: number): string {
  return altered(text.slice(0, index + 1), 1) + text.slice(index + 1);
}
