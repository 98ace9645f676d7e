import { isType, isUsual, isVerb, type Token } from './phrases.ts';

// Lists of words in a phrase: `call, demo or visit`, `[call demo]`, `"call" | "demo"`.

/** The longest list of a phrase, or the one word in the place of a list; empty: none. */
export function listIn<T extends Token>(
  phrase: string,
  tokens: readonly T[],
  mayBeIn: (token: T) => boolean,
): readonly T[] {
  const runs: T[][] = [];
  let isJoint = false;
  for (const token of tokens) {
    const run = runs.at(-1) ?? [];
    if (!token.isQuoted && /^(or|and)$/i.test(token.text)) {
      isJoint = run.length > 0;
      continue;
    }
    const separator = isJoint ? /^,?\s*$/ : isInBrackets(run[0]) ? /^(,? |,)$/ : /^\s*[,|/]\s*:?$/;
    if (run.length > 0 && separator.test(token.gap.replace(/["'`]/g, '')) && mayBeIn(token) && isItem(token, run[0])) {
      run.push(token);
    } else {
      runs.push(mayBeIn(token) && isItem(token) ? [token] : []);
    }
    isJoint = false;
  }
  const lists = runs.filter((run) => run.length > 1 || run.some((one) => isAlone(phrase, one)));
  return lists.sort((one, other) => other.length - one.length)[0] ?? [];
}

const isInBrackets = (token: Token | undefined): boolean => /\[$/.test(token?.gap ?? '');

/** Whether a word may be in a list. A usual one may only be where others are that are not quoted. */
const isItem = (token: Token, first?: Token): boolean =>
  (token.isQuoted && !isType(token.text)) ||
  !isUsual(token.text) ||
  isInBrackets(token) ||
  (first !== undefined && !first.isQuoted && !isType(token.text) && !isVerb(token.text));

/** Words that may be before a value. */
const offering = /\b(?:of|be|to|either|contain|expected|allowed|values?|options?|choices?):?[\s"'`]*$/i;

/** Whether something before a list says that its words are values. */
export const offersValues = (phrase: string, [first]: readonly Token[]): boolean =>
  first !== undefined &&
  (first.isQuoted || offering.test(phrase.slice(0, first.start)) || /[:[({|]\s*$/.test(first.gap));

/** Whether a single word is in brackets, last after a colon, or quoted where values follow. */
function isAlone(phrase: string, { start, end, isQuoted }: Token): boolean {
  const before = phrase.slice(0, start);
  const isBracketed = /[\s:]\[$/.test(before) && phrase[end] === ']';
  const isLast = (isQuoted ? /:\s*$/ : /:\s*:?$|\bfor\s$/).test(before) && /^[.\s]*(?:[[(]|$)/.test(phrase.slice(end));
  return isBracketed || isLast || (isQuoted && offering.test(before));
}
