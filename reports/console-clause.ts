import { styleText } from 'node:util';
import type { ClauseResult, Finding, Verdict } from '../results/verdict.ts';
import { observedLines } from './observed-lines.ts';
import { block, counted, oneLine, visible, wrap } from './text.ts';

/** How the console is written. */
export interface Look {
  readonly colour: boolean;
  /** Columns at which prose is broken; commands are never broken. */
  readonly width: number;
}

type Style = Parameters<typeof styleText>[0];

const styles: Readonly<Record<Verdict, Style>> = {
  pass: 'green',
  fail: ['bold', 'red'],
  warn: 'yellow',
  inconclusive: 'magenta',
  skip: 'gray',
  observed: 'cyan',
  broken: ['bold', 'magenta'],
};

/** The text in a style, or as it is where colour is off. The caller knows whether there is a terminal and NO_COLOR. */
export const paint = (look: Look, style: Style, text: string): string =>
  look.colour ? styleText(style, text, { validateStream: false }) : text;

export const paintVerdict = (look: Look, verdict: Verdict, text: string): string => paint(look, styles[verdict], text);

const labelWidth = 14;

/** A clause with its findings in full: requirement, then what each finding expected, met, and how to see it again. */
export function clauseInFull(clause: ClauseResult, look: Look, most: number): string[] {
  const { id, level, title, source, findings, verdict, waiver } = clause;
  const word = waiver === undefined ? verdict : 'waived';
  const shown = findings.slice(0, most).flatMap((finding) => ['', ...findingRows(finding, look)]);
  const left = findings.length - Math.min(findings.length, most);
  return [
    `  ${paintVerdict(look, verdict, `${word} ${id}`)} ${paint(look, 'dim', `(${level})`)}`,
    ...row('Requirement', `${title} (${source})`, look),
    ...shown,
    ...(left > 0 ? ['', `    … and ${counted(left, 'finding')} more in conformance.html`] : []),
    '',
  ];
}

function findingRows(
  { message, expected, actual, place, exchange, response, curl, cause }: Finding,
  look: Look,
): string[] {
  const trace = response?.traceId ? `, trace id ${response.traceId}` : '';
  return [
    ...row('Finding', message, look, 'bold'),
    ...(expected === undefined ? [] : row('Expected', expected, look)),
    ...(actual === undefined ? [] : row('Actual', actual, look)),
    ...(place === undefined ? [] : row('Place', place, look)),
    ...(exchange === undefined ? [] : row('Exchange', `${exchange} in exchanges.har${trace}`, look)),
    ...(cause === undefined ? [] : row('Likely cause', cause, look)),
    ...(curl === undefined ? [] : [`    ${'Repeat'.padEnd(labelWidth)}${paint(look, 'cyan', oneLine(curl, 2_000))}`]),
  ];
}

/** A label and its text, broken to the width, with later lines below the first: text of a target never starts a line. */
function row(label: string, text: string, look: Look, style?: Style): string[] {
  const lines = wrap(block(text, 800, 8), Math.max(20, look.width - labelWidth - 4));
  return lines.map((line, index) => {
    const head = `    ${(index === 0 ? label : '').padEnd(labelWidth)}`;
    return `${head}${style === undefined ? line : paint(look, style, line)}`.trimEnd();
  });
}

/** A clause in two lines or three: which, and what was found first. */
export function clauseInShort(clause: ClauseResult, look: Look): string[] {
  const { id, level, verdict, findings } = clause;
  const [first] = findings;
  const left = findings.length - 1;
  return [
    `  ${paintVerdict(look, verdict, id)} ${paint(look, 'dim', `(${level})`)}`,
    ...indented(
      `${first?.message ?? clause.title}${left > 0 ? ` (and ${counted(left, 'finding')} more)` : ''}`,
      4,
      look,
    ),
    ...(first?.cause === undefined ? [] : indented(`Likely cause: ${first.cause}`, 4, look)),
  ];
}

/** What was observed, in short. */
export function clauseObserved({ id, observed }: ClauseResult, look: Look): string[] {
  const all = observedLines(observed);
  const lines = all.slice(0, 12).flatMap(({ depth, text }) => indented(text, 4 + 2 * depth, look));
  const left = all.length - Math.min(all.length, 12);
  return [
    `  ${paintVerdict(look, 'observed', id)}`,
    ...lines,
    ...(left > 0 ? [paint(look, 'dim', `    … and ${counted(left, 'line')} more in conformance.html`)] : []),
  ];
}

/** Text broken to the width, each line indented. */
export const indented = (text: string, by: number, look: Look): string[] =>
  wrap(oneLine(visible(text), 600), Math.max(20, look.width - by)).map((line) => `${' '.repeat(by)}${line}`);
