import { styleText } from 'node:util';
import type { Word } from '../../results/verdict.ts';
import { block, moreLines, oneLine, visible, wrap } from '../text.ts';

/** How the console is written. */
export interface Look {
  readonly colour: boolean;
  /** Columns at which prose is broken; commands are never broken. */
  readonly width: number;
  /** Where the reports lie, where there are any. */
  readonly folder?: string | undefined;
}

type Style = Parameters<typeof styleText>[0];

const styles: Readonly<Record<Word, Style>> = {
  pass: 'green',
  fail: ['bold', 'red'],
  warn: 'yellow',
  waived: 'magenta',
  inconclusive: 'magenta',
  skip: 'gray',
  observed: 'cyan',
  broken: ['bold', 'magenta'],
};

/** The text in a style, or as it is where colour is off. The caller knows whether there is a terminal and NO_COLOR. */
export const paint = (look: Look, style: Style, text: string): string =>
  look.colour ? styleText(style, text, { validateStream: false }) : text;

export const paintWord = (look: Look, word: Word, text: string): string => paint(look, styles[word], text);

export const heading = (look: Look, text: string): string => paint(look, 'bold', text);

/** A label and its text, broken to the width, later lines indented: text of a target never starts a line. */
export function row(label: string, text: string, look: Look, mostLines = 3): string[] {
  const labelWidth = 11;
  const lines = wrap(block(text, 600, 3), Math.max(20, look.width - labelWidth - 4));
  const shown = lines.length > mostLines ? [...lines.slice(0, mostLines - 1), `${lines[mostLines - 1]} …`] : lines;
  return shown.map((line, index) => {
    const head = paint(look, 'dim', (index === 0 ? label : '').padEnd(labelWidth));
    return `    ${head}${line}`.trimEnd();
  });
}

/** Text broken to the width, each line indented, at most so many of them. */
export function indented(text: string, by: number, look: Look, mostLines = 3): string[] {
  const lines = wrap(oneLine(visible(text), 600), Math.max(20, look.width - by));
  const shown = lines.length > mostLines ? [...lines.slice(0, mostLines - 1), `${lines[mostLines - 1]} …`] : lines;
  return shown.map((line) => `${' '.repeat(by)}${line}`);
}

/** What the console does not show of a part, and where it is; nothing where it shows all. */
export const leftOut = (left: number, noun: string, where: string): string[] =>
  moreLines(left, noun, where).map((line) => `  ${line}`);
