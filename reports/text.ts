import { inspect } from 'node:util';
import { counted } from '../common/words.ts';
import { cut } from '../results/bound.ts';

/**
 * Characters that act on a terminal or an XML parser, or deceive a reader: controls, direction marks, invisible and
 * line-breaking characters, noncharacters. Line feed and tab are fine.
 */
const acting = /[^\P{Cc}\n\t]|[\p{Cf}\p{Zl}\p{Zp}\ufdd0-\ufdef\ufffe\uffff]/gu;

/** The text with each acting character replaced by its code point: `\u{1b}`. */
export const visible = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n/g, '\n')
    .replace(acting, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);

/**
 * The visible text on one line, cut to `most` characters. Only its beginning is processed, since it may have megabytes.
 */
export const oneLine = (text: string, most: number): string =>
  cut(
    visible(text.slice(0, 2 * most))
      .replace(/\s+/g, ' ')
      .trim(),
    most,
    text.length > 2 * most ? text.length : undefined,
  );

/** A value as JSON on one line. */
export const shortJson = (value: unknown): string => oneLine(JSON.stringify(value) ?? '(absent)', 160);

/** An observed value for people: on one line where it is short, else indented. */
export const observedText = (value: unknown): string =>
  typeof value === 'string' ? value : inspect(value, { depth: null, breakLength: 100, maxArrayLength: null });

/** A JSON file, with characters escaped that act on a terminal or deceive a reader. */
export const jsonText = (value: unknown, indent = 2): string =>
  `${JSON.stringify(value, null, indent).replace(acting, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  )}\n`;

/** The visible text, cut to that many characters and lines, with a mark if it was cut. */
export function block(text: string, mostCharacters: number, mostLines: number): string {
  const all = text.length > mostCharacters ? text.length : undefined;
  const lines = cut(visible(text.slice(0, mostCharacters)), mostCharacters, all).split('\n');
  if (lines.length <= mostLines) {
    return lines.join('\n');
  }
  return [...lines.slice(0, mostLines), '… (cut, more lines follow)'].join('\n');
}

/**
 * The text with everything broken up that a CI runner takes for a command: `::error::` at the start of a line (GitHub),
 * `##[` or `##vso[` anywhere (GitHub, Azure), `##teamcity[`.
 */
export const inert = (text: string): string =>
  text.replace(/^([^\S\r\n\u2028\u2029]*):(?=:)/gm, '$1: ').replace(/#(?=#(\[|vso\[|teamcity\[))/g, '# ');

/** Breaks text at blanks into lines of at most `width`. A longer word stays whole on a line of its own. */
export function wrap(text: string, width: number): string[] {
  const line = new RegExp(`(\\S{${width},}|.{1,${width}})(?: |$)`, 'gu');
  return text.split('\n').flatMap((paragraph) => {
    const lines = [...paragraph.matchAll(line)].map(([, shown = '']) => shown);
    return lines.length === 0 ? [''] : lines;
  });
}

/** A line about what is not shown, such as `… and 3 more causes in conformance.html`; no line if all is shown. */
export const moreLines = (left: number, noun: string, where: string): string[] =>
  left > 0 ? [`… and ${counted(left, `more ${noun}`)} ${where}`] : [];

export const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** 850 ms, 12.3 s, 4 min 5 s. */
export function duration(ms: number): string {
  if (ms < 1_000) {
    return `${Math.round(ms)} ms`;
  }
  if (ms < 60_000) {
    return `${(ms / 1_000).toFixed(1)} s`;
  }
  return `${Math.floor(ms / 60_000)} min ${Math.floor((ms % 60_000) / 1_000)} s`;
}
