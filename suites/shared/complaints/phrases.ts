import { partsOf } from './field-path.ts';

// The texts of a refusal as phrases and tokens. Nothing here knows a framework: names are told by how they are written
// and where they stand, and by being none of the few hundred words of which refusals are made.

/** A name, a value or a word in a phrase. */
export interface Token {
  readonly text: string;
  /** The parts of a path; of a name, that alone. */
  readonly parts: readonly string[];
  readonly isQuoted: boolean;
  /** What is between it and the token before it. */
  readonly gap: string;
  readonly start: number;
  readonly end: number;
}

const split = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

/** Verbs before which a field's name may stand. */
const verbs = split(`is was are were must should shall can can't cannot can’t may has have needs need`);
/** Words for any field, for the body or for no thing at all: never a name unless quoted. */
const generic = split(`
  field fields property attribute argument parameter param key keys column member value values body request payload json input
  this that it the a an and or not these those one some any all each there either neither both other others you your`);
/** The names of types, and what else is quoted in refusals and is no field. */
const types = split(`
  string text number integer int float double boolean bool object array list map null undefined none true false date
  datetime timestamp required enum uuid nil missing`);
/** Other words of which refusals are made. */
const usual = split(`
  be been to of in on at for from with within by as but than then such like no only more less least most between during
  does do did doesn't don't isn't aren't wasn't shouldn't mustn't hasn't set given got received provided expected
  unexpected unknown unrecognized unrecognised unsupported unpermitted unspecified permitted supported allowed known
  recognized recognised defined additional extra extraneous missing mandatory optional valid invalid validation failed
  failure fails bad wrong incorrect malformed empty blank present absent found find could not-null violates violation
  constraint option options choice choices selected following accepted accept match matches exceed length size character
  characters item items element elements greater equal too long short small large high low minimum maximum min max
  format formatted pattern type types data schema root path pointer line position offset token json deserialize
  serialize parse parsing convert into instead please provide specify include contain contains use used check
  ensure make sure sent exist exists same unique already message validate validator cause reason detail details
  description default first second last new documents document not contains entity class model relation table target
  code status ok fine yes also still entry entries if what which who properties attributes parameters params error
  errors names`);

export const isGeneric = (word: string): boolean => generic.has(word.toLowerCase());
export const isType = (word: string): boolean => types.has(word.toLowerCase());
export const isVerb = (word: string): boolean => verbs.has(word.toLowerCase()) || /n['’]t$/i.test(word);
/** Whether a word is one of those of which refusals are made. */
export const isUsual = (word: string): boolean =>
  usual.has(word.toLowerCase()) || isGeneric(word) || isType(word) || isVerb(word);

/** A name in code: `display_name`, `leadId`. */
export const isCode = (text: string): boolean => /^[a-z]+[a-z0-9]*(?:_|[A-Z])\w/.test(text);

/** A code of an error: `VALIDATION_FAILED`. */
export const codeInCapitals = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/;

/** Whether a text is a code of an error or a rule, such as `invalid_type` or `notBlank`, or the name of a class. */
export const isErrorName = (text: string): boolean =>
  codeInCapitals.test(text) ||
  /(?:[Ee]rror|[Ee]xception|[Ff]ailure)$/.test(text) ||
  (text.match(/[A-Z]?[a-z]+/g) ?? ['']).every(isUsual);

/** Where the complaint about one field ends, and that about another begins. A line that is indented goes on. */
const betweenPhrases =
  /;\s+|\n(?![ \t→└├│"'`[])|(?<=[\p{L}\d"'`)\]]{3})\.\s+(?=\p{Lu})|,\s+(?=["'`]?[\w.[\]/-]+["'`]?(?: \w+){0,2} (?:is|are|must|should|cannot|can't|has|may|does)\b)/u;

export const phrasesOf = (text: string): string[] => text.split(betweenPhrases).filter((phrase) => /\S/.test(phrase));

/**
 * What is skipped (addresses and patterns), a quoted text, a path or word (`key` of `key(s)`), a number. Only Latin
 * letters are in names: in other scripts no blank ends them.
 */
const tokenPattern =
  /\w+:\/\/\S+|\^\S+\$|(?<![\p{L}\p{N}])["'`“„«‘]{1,2}(?! )([^"'`“”„«»‘’,\n]{1,100})(?<! )["'`“”«»‘’]{1,2}(?!\p{L})|((?:[#$]?[./])?[\p{Script=Latin}_$](?:[\p{Script=Latin}\p{N}_$-]|['’](?=[a-z])|[./](?=[\w$])|\[[\w-]*\](?!\w))*)(?:\(e?s\))?|-?\d[\w.:-]*/gu;

/** The tokens of a phrase. */
export function tokensOf(phrase: string): Token[] {
  const tokens: Token[] = [];
  let from = 0;
  for (const match of phrase.matchAll(tokenPattern)) {
    const [all, quoted, word] = match;
    const start = match.index;
    const end = start + all.length;
    const text = (quoted ?? word ?? (/^-?\d/.test(all) ? all : '')).replace(/[.:-]$/, '');
    if (/[\p{L}\d]/u.test(text) && !/^(?:e\.g|i\.e)$/.test(text)) {
      const isName = /^[#$.]*[/.]?[\w\p{L}$][^\s()]*$/u.test(text);
      const gap = phrase.slice(from, start);
      tokens.push({ text, parts: isName ? partsOf(text) : [text], isQuoted: quoted !== undefined, gap, start, end });
      from = end;
    }
  }
  return tokens;
}

/** Words about a field that is not there. */
export const lacking =
  /required|missing|mandatory|could not find|not[- ]null|null value|\bundefined\b|not (?:set|provided|given)|(?:must|should) be defined|(?:not|n't) be (?:null|empty|blank)/i;

/** Words about a field that the deployment does not know. What is said so of a value is about no field. */
const unknown =
  /\bun(?:known|expected|recogni[sz]ed|permitted|specified|supported)\b(?! (?:variant|value|option|enum))|\b(?:extra|additional) (?:field|input|propert|key|param|attribute)|(?:\bno such|\bnot|n't)(?: (?:an?|be|valid|known|supported|recogni[sz]ed))* (?:allowed|permitted|known|recogni[sz]ed|defined|present|exist|have|found|find|field|column|property|parameter|attribute|key)\b(?! (?:value|option))/i;
export const saysUnknown = (text: string): boolean =>
  unknown.test(/\s/.test(text) ? text : text.replace(/([a-z])([A-Z])|_/g, '$1 $2'));

/** Whether a text has a verb, such as `The location is required`. */
export const isSentence = (text: string): boolean => /\s/.test(text) && tokensOf(text).some((one) => isVerb(one.text));

/** Whether a text lacks a subject, such as `is required` or `Missing data for required field.`. */
export function isPredicate(text: string): boolean {
  const [first, ...others] = tokensOf(text);
  return first !== undefined && (isVerb(first.text) || [first, ...others].every((token) => isUsual(token.text)));
}
