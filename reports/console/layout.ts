import { styleText } from 'node:util';
import type { Word } from '../../results/verdict.ts';
import { block, moreLines, oneLine, visible, wrap } from '../text.ts';
import { looks } from '../words.ts';

/** How to write to the console. */
export interface Layout {
  readonly colour: boolean;
  /** The columns after which prose is broken. Commands are never broken. */
  readonly width: number;
}

type Style = Parameters<typeof styleText>[0];

/** The text in a style; unchanged if colour is off. */
export const paint = (layout: Layout, style: Style, text: string): string =>
  layout.colour ? styleText(style, text, { validateStream: false }) : text;

export const paintWord = (layout: Layout, word: Word, text: string): string => paint(layout, looks[word].style, text);

export const heading = (layout: Layout, text: string): string => paint(layout, 'bold', text);

/** Most characters of a text that is not cut to lines. */
const mostText = 8_000;

/**
 * A label and its text, broken to the width. Later lines are indented, so that text from a target never starts a line.
 */
export function row(label: string, text: string, layout: Layout, mostLines = 3): string[] {
  const labelWidth = 11;
  const all = mostLines === Infinity;
  const lines = wrap(block(text, all ? mostText : 600, all ? 60 : 3), Math.max(20, layout.width - labelWidth - 4));
  return cutTo(lines, mostLines).map((line, index) => {
    const head = paint(layout, 'dim', (index === 0 ? label : '').padEnd(labelWidth));
    return `    ${head}${line}`.trimEnd();
  });
}

/** At most `mostLines` lines of a text, broken to the width and indented; all of it where that is Infinity. */
export function indented(text: string, by: number, layout: Layout, mostLines = 3): string[] {
  const lines = wrap(oneLine(visible(text), mostLines === Infinity ? mostText : 600), Math.max(20, layout.width - by));
  return cutTo(lines, mostLines).map((line) => `${' '.repeat(by)}${line}`);
}

const cutTo = (lines: readonly string[], most: number): readonly string[] =>
  lines.length > most ? [...lines.slice(0, most - 1), `${lines[most - 1]} …`] : lines;

/** A line about what the console does not show, and where that is; no line if it shows all. */
export const leftOut = (left: number, noun: string, where: string): string[] =>
  moreLines(left, noun, where).map((line) => `  ${line}`);
