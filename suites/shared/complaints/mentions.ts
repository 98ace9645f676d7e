import { pointerNames, walk } from '../../../common/json.ts';
import { lettersOf } from '../../../common/words.ts';
import { fieldOf, isBodyName, isIndex, partsOf } from './field-path.ts';
import {
  isCode,
  isErrorName,
  isGeneric,
  isType,
  isUsual,
  isVerb,
  lacking,
  saysUnknown,
  type Token,
  tokensOf,
} from './phrases.ts';
import { listIn, offersValues } from './word-lists.ts';

// What the words of one phrase are evidence for: names of fields, and values that a field may have. Which is which, its
// place tells: a list of words is one of values where something before it names a field, otherwise one of fields.

/** A field that the words of a phrase name. */
export interface Mention {
  readonly parts: readonly string[];
  /** The words that name it, as they are in the phrase. */
  readonly words: string;
  /** Where they begin. */
  readonly at: number;
  /** Whether more than a word that may be a name says so. */
  readonly isCertain: boolean;
}

/** What one phrase says. */
export interface Reading {
  readonly phrase: string;
  readonly mentions: readonly Mention[];
  /** The values that it allows, and the field that may have them, where its words name one. */
  readonly values: readonly string[];
  readonly subject: Mention | undefined;
  readonly isUnknown: boolean;
  readonly isLacking: boolean;
}

/** What tells names from other words. */
export interface Names {
  /** Texts that were sent, each with the field that has it. */
  readonly values: ReadonlyMap<string, string>;
  readonly sent: ReadonlySet<string>;
  /** Names as lists spell them. */
  readonly shown: ReadonlySet<string>;
  /** The same by their letters. */
  readonly alike: ReadonlyMap<string, string>;
}

export const namesIn = (sent: unknown, shown: readonly string[]): Names => {
  const all = walk(sent).slice(1);
  // A value in a list is one of the list's field.
  const texts = all.flatMap(({ pointer, value }) =>
    typeof value === 'string' ? [[value, pointerNames(pointer).findLast((name) => !isIndex(name)) ?? ''] as const] : [],
  );
  return {
    values: new Map(texts.reverse()),
    sent: new Set(all.flatMap(({ name, depth }) => (depth === 1 ? name : []))),
    shown: new Set(shown),
    alike: new Map(shown.map((name) => [lettersOf(name), name] as const).reverse()),
  };
};

/** Reads a phrase. `hasSubject`: the structure of the refusal names the field that it is about. */
export function readPhrase(phrase: string, names: Names, hasSubject: boolean): Reading {
  const tokens = tokensOf(phrase).map((token, index, all) => ({ ...token, role: roleOf(index, all, names) }));
  const label = labelIn(phrase);
  const list = listIn(phrase, tokens, ({ text, role }) => role !== 'noise' || names.values.has(text));
  const [first, last] = [list[0]?.start ?? Infinity, list.at(-1)?.start ?? -1];
  const named = [
    ...(label === undefined ? tokens.flatMap((_, index) => inWords(index, { phrase, tokens, names }) ?? []) : [label]),
    ...tokens.flatMap((token, at) =>
      token.role === 'name' ? mentionOf(token, !isNamedAs(tokens[at - 1], token)) : [],
    ),
    ...tokens.flatMap((token) =>
      token.role === 'value' ? mentionOf({ ...token, parts: [names.values.get(token.text) ?? ''] }) : [],
    ),
  ];
  const outside = named.filter(({ at }) => !list.some(({ start }) => start === at));
  const isOfValues = hasSubject
    ? !asksFor(tokens, tokens.indexOf(list[0] as Told))
    : outside.some(({ at, isCertain }) => isCertain && (at < first || at > last));
  const [isUnknown, isLacking] = [saysUnknown(phrase), lacking.test(phrase)];
  const isListed = list.length > 1 || isUnknown || isLacking || /invalid/i.test(phrase);
  const listed = isOfValues || !isListed ? [] : list.filter(({ text }) => /^\D/.test(text));
  const all = [...outside, ...listed.map((token) => mentionOf(token))];
  const mentions = isUnknown || isLacking ? inHolder(phrase, all, isLacking ? new Set() : names.sent) : all;
  return {
    phrase,
    mentions,
    values: isOfValues && offersValues(phrase, list) ? list.map(({ text }) => text) : [],
    subject:
      mentions.find(({ words }) => names.values.has(words)) ??
      mentions.findLast(({ at, isCertain }) => isCertain && at < first) ??
      mentions[0],
    isUnknown,
    isLacking,
  };
}

/** What a token is. `value`: a text that was sent. `noise`: a type, or what came. */
type Role = 'name' | 'value' | 'word' | 'noise';
interface Told extends Token {
  readonly role: Role;
}

/** Words after which a quoted text is a type, what came, or where a call went. */
const beforeNoise =
  /^(type|class|object|model|entity|table|relation|schema|sobject|enum|constraint|got|received|was|actual|instead|get|post|put|patch)$/i;

function roleOf(index: number, tokens: readonly Token[], { values, sent, shown }: Names): Role {
  const { text, parts, isQuoted, gap } = tokens[index] as Token;
  const [beforeLast = '', last = ''] = [index - 2, index - 1].map((at) => tokens[at]?.text);
  const isOfHolder = last === 'of' && /^(column|field|property|attribute|key)$/i.test(beforeLast);
  const isSent = isQuoted && sent.has(text);
  const isAside = !isSent && (isOfHolder || (beforeNoise.test(last) && /^[\s=:]*["'`]?$/.test(gap)));
  if (values.has(text) && !isSent) {
    return isQuoted && text.length > 1 ? 'value' : 'noise';
  }
  // `com.acme.CreateLead` is a class, and `$input` a variable.
  const isClass = parts.length > 2 && !isBodyName(parts[0]) && /^([a-z]\w*\.)+[A-Z]\w*$/.test(text);
  if (isClass || /^\$\w+$/.test(text)) {
    return 'noise';
  }
  if (!isQuoted) {
    return parts.length > 1 && !isAside && !/^[\d-]/.test(text) && isPath(parts) ? 'name' : 'word';
  }
  const isName = shown.has(text) || (/^[A-Za-z_$/.#][\w.[\]/$-]*$/.test(text) && (!isType(text) || asking.test(last)));
  return isName && !isAside && tokens[index + 1]?.text !== 'tag' ? 'name' : 'noise';
}

/** Whether words with a dot or slash between them are a path, such as `body.properties`, and none as `key/value` is. */
const isPath = (parts: readonly string[]): boolean =>
  !parts.every(isUsual) || (isBodyName(parts[0]) && !isBodyName(parts.at(-1)));

/** Whether a word says what a quoted name is, and it is none of those for fields: `resource "Lead"`. */
const isNamedAs = (before: Token | undefined, { isQuoted, gap }: Token): boolean =>
  isQuoted &&
  before !== undefined &&
  !before.isQuoted &&
  gap === ' ' &&
  !isUsual(before.text) &&
  !/\W/.test(before.text);

const mentionOf = ({ parts, text: words, start: at }: Token, isCertain = true): Mention => ({
  parts,
  words,
  at,
  isCertain,
});

/** The words before a verb, at the beginning of a phrase or after a colon. */
const beforeVerb =
  /(?:^|:\s)(the )?([a-z][\w.]*(?: [\w.]+){0,3}?) (?:field\b|is\b|are\b|must( exist)?\b|should\b|may\b|has\b|can\b|can(?:no|['’])t\b)/i;

/** The label with which a phrase begins, as a path: `owner_email` of `Owner email can't be blank`. */
function labelIn(phrase: string): Mention | undefined {
  const [all = '', article = '', label = '', reference] = beforeVerb.exec(phrase) ?? [];
  const words = label.split(' ');
  const isCapital = article !== '' || /^[A-Z][a-z]+\b/.test(label);
  if (!isCapital || isUsual(words[0] ?? '') || words.some(isGeneric)) {
    return undefined;
  }
  // One word may be a name in code.
  const isPlain = words.length > 1 || reference !== undefined;
  const path = isPlain ? `${words.join('_')}${reference === undefined ? '' : '_id'}`.toLowerCase() : label;
  return { parts: partsOf(path), words: label, at: phrase.indexOf(label, phrase.indexOf(all)), isCertain: true };
}

interface Words {
  readonly phrase: string;
  readonly tokens: readonly Told[];
  readonly names: Names;
}

/** The field that a plain word names: as the subject, as a known word of another language, or as what is asked for. */
function inWords(index: number, words: Words): Mention | null {
  const token = words.tokens[index] as Told;
  if (token.role !== 'word' || (isErrorName(token.text) && !isUsual(token.text))) {
    return null;
  }
  if (isSubject(index, words)) {
    return mentionOf(token, isCode(token.text) || demanding.test(words.phrase));
  }
  if (isForeignName(token, words)) {
    // Languages share words: a name that was sent may be one.
    return mentionOf(token, !words.names.sent.has(token.text));
  }
  const isNew = !isUsual(token.text);
  return isNew && (asksFor(words.tokens, index) || isCode(token.text)) ? mentionOf(token, false) : null;
}

/** Words of which a complaint has one, and other sentences, such as `next are 09:00, 09:30`, have none. */
const demanding = /\b(?:required|missing|mandatory|invalid|not?|must|should|cannot|may|un[a-z]+)\b|n['’]t\b|:\s/i;

/** Whether a word is before a verb or a colon, at the beginning of the phrase or after a colon. */
function isSubject(index: number, { phrase, tokens, names: { sent } }: Words): boolean {
  const [before, { text, gap, end }, next] = [tokens[index - 1], tokens[index] as Told, tokens[index + 1]];
  const isAtStart = index === 0 || /:\s/.test(gap);
  const isAfter = !isUsual(text) && /^(the|invalid)$/i.test(before?.text ?? '');
  if (next === undefined || isGeneric(text) || isType(text) || isVerb(text) || !(isAtStart || isAfter)) {
    return false;
  }
  const isHeading = /^(?::| --? )/.test(phrase.slice(end)) && (sent.has(text) || !isUsual(text));
  return (
    isHeading || (isAtStart && (isCode(text) || sent.has(text))) || (isVerb(next.text) && /^,?\s+$/.test(next.gap))
  );
}

/** Whether a word is a name in a sentence of another language: a known one, or in letters of another script. */
function isForeignName({ text }: Token, { phrase, tokens, names: { sent, shown } }: Words): boolean {
  // A word of another language may be an English one, too.
  const usual = tokens.filter((token) => isUsual(token.text));
  const isForeign = /\s|[^\x20-\x7e]/.test(phrase) && usual.length < tokens.length / 3;
  const isOtherScript = /(?!\p{Script=Latin})\p{L}/u.test(phrase);
  return isForeign && (sent.has(text) || shown.has(text) || (isOtherScript && /^[a-z]/.test(text)));
}

/** Words that ask for what follows them. */
const asking =
  /^(missing|requires?|required|needs?|provide|specify|include|unknown|unexpected|unpermitted|empty|fields?|param(eter)?s?|propert(y|ies)|attributes?|keys?|columns?|arguments?)$/i;

/** Whether what is before a word asks for it, and not for what follows: `Unknown field name: "title"`. */
const asksFor = (tokens: readonly Told[], index: number): boolean =>
  asking.test(tokens[index - 1]?.text ?? '') &&
  !(tokens[index + 1]?.role === 'name' && /^:/.test(tokens[index + 1]?.gap ?? ''));

/**
 * Names as those of fields in an object that the phrase names first, or last after a dash: `slot: missing field "from"`.
 * What is unknown, and was sent in the body itself, is not in an object that was not: `proto: unknown field "name"`.
 */
function inHolder(phrase: string, mentions: readonly Mention[], sent: ReadonlySet<string>): readonly Mention[] {
  const isDashed = ({ at }: Mention): boolean => /\s[-–]\s+$/.test(phrase.slice(0, at));
  const isFirst = ({ at, words, parts }: Mention): boolean =>
    phrase[at + words.length] === ':' || (parts.length > 1 && phrase.startsWith(words));
  const first = mentions.find(({ isCertain }) => isCertain);
  const holder = mentions.find(isDashed) ?? (first !== undefined && isFirst(first) ? first : undefined);
  const isOther = ({ parts }: Mention): boolean =>
    holder !== undefined && parts.length === 1 && fieldOf(parts) !== fieldOf(holder.parts);
  const isOfBody = ({ words }: Mention): boolean => sent.has(words) && !sent.has(holder?.words ?? '');
  const others = mentions.filter((one) => one !== holder || !mentions.some(isOther));
  return others.map((one) =>
    isOther(one) && !isOfBody(one) ? { ...one, parts: [...(holder?.parts ?? []), ...one.parts] } : one,
  );
}
