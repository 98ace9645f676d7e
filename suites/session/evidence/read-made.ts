import type { KeyPlaces } from '../key.ts';

/** Lines that run a command and read a key's secret and id from its answer. `ownId`: the id of the run's own key. */
export const readKey = (command: string, { id, secret }: KeyPlaces, ownId: string | undefined): string[] => [
  `MADE=$(${command})`,
  `KEY=${readMade(secret)}`,
  ...(id === undefined ? [] : [`ID=${readMade(id, ownId)}`]),
];

/**
 * Shell text that reads the value at a pointer in `$MADE`, with Node. `ownValue`: the value in the run. Without the `--`,
 * Node would take an answer that begins with a dash for an option, and `--import` runs code.
 */
export const readMade = (pointer: string, ownValue = ''): string => {
  const text = /^\d{16,}$/.test(ownValue) ? withQuotedNumbers : 'process.argv[1]';
  return `$(node -p 'JSON.parse(${text})${expressionOf(pointer)}' -- "$MADE")`;
};

/** Puts quotes around numbers so long that JSON.parse would round them. */
const withQuotedNumbers = String.raw`process.argv[1].replace(/(?<=[:,[]\s*)\d{16,}/g, "\"$&\"")`;

/** A JSON pointer as an expression of JavaScript that can go into single quotes of a shell, in plain ASCII. */
const expressionOf = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => (/^[A-Za-z_$][\w$]*$/.test(token) ? `.${token}` : `[${JSON.stringify(token)}]`))
    .join('')
    .replace(/['\x7f-\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
