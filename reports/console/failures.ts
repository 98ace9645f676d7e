import { counted, firstOf } from '../../common/words.ts';
import type { RootCause } from '../../results/root-causes.ts';
import { firstStepsOf, firstStepsText, rootCausesOf } from '../../results/root-causes.ts';
import type { ClauseResult, Finding, Run } from '../../results/verdict.ts';
import { oneLine, visible, wrap } from '../text.ts';
import { failingVerdicts, marks } from '../words.ts';
import { indented, type Look, leftOut, paint, paintWord, row } from './look.ts';

/** How many causes are told in full, and how many more on a line; of a script, lines and characters. */
const most = { full: 8, short: 20, lines: 15, script: 900 } as const;

/** What failed the run, by root cause, the clause to fix first above all. */
export function failureLines(run: Run, look: Look): string[] {
  const causes = failingVerdicts(run).flatMap((verdict) => rootCausesOf(run.clauses, verdict));
  if (causes.length === 0) {
    return [];
  }
  const many = causes.reduce((sum, { clauses }) => sum + clauses.length, 0);
  const told = causes.length === many ? '' : `, ${counted(causes.length, 'cause')}`;
  const short = causes.slice(most.full, most.full + most.short);
  const left = causes.length - most.full - short.length;
  const steps = firstStepsText(firstStepsOf(run.clauses));
  return [
    paint(look, 'bold', `Failed: ${counted(many, 'clause')}${told}`),
    ...(steps === '' ? [] : indented(steps, 2, look)),
    ...causes.slice(0, most.full).flatMap((cause) => ['', ...causeLines(cause, look)]),
    ...(short.length > 0 ? ['', ...short.flatMap((cause) => shortLines(cause, look))] : []),
    ...leftOut(left, 'cause', 'in conformance.html'),
  ];
}

/** One clause with its first finding, or several with the finding that they share: at most 15 lines. */
function causeLines(cause: RootCause, look: Look): string[] {
  const { clauses, finding, sentence, verdict } = cause;
  const [first] = clauses;
  if (first === undefined) {
    return [];
  }
  const alone = clauses.length === 1;
  const head = alone ? `${first.id}: ${first.title}` : sentence;
  const more = alone ? first.findings.length - 1 : 0;
  const above = [
    ...headLines(`${marks[verdict]} ${head}`, look).map((line) => paintWord(look, verdict, line)),
    ...(alone ? indented(sentence, 4, look) : row('clauses', idsOf(clauses), look)),
    ...findingLines(finding, sentence, look),
  ];
  const below = [
    ...(alone ? row('source', `${first.level}, ${first.source}`, look, 1) : []),
    ...(more > 0 ? [`    … and ${counted(more, 'more finding')} in conformance.html`] : []),
  ];
  return [...above, ...commandLines(finding.curl, first.id, most.lines - above.length - below.length, look), ...below];
}

const headLines = (text: string, look: Look): string[] =>
  wrap(oneLine(visible(text), 300), look.width - 4)
    .slice(0, 3)
    .map((line, index) => `${index === 0 ? '  ' : '    '}${line}`);

const idsOf = (clauses: readonly ClauseResult[]): string =>
  `${clauses.length}: ${firstOf(
    clauses.map(({ id }) => id),
    6,
  )}`;

/** What came is left out where the sentence has told it at length. */
function findingLines(
  { expected, actual, place, exchange, response, cause }: Finding,
  sentence: string,
  look: Look,
): string[] {
  const trace = response?.traceId ? `, trace id ${response.traceId}` : '';
  return [
    ...(expected === undefined ? [] : row('expected', expected, look, 1)),
    ...(actual === undefined || (actual.length > 60 && sentence.includes(actual)) ? [] : row('got', actual, look, 2)),
    ...(place === undefined ? [] : row('place', place, look, 1)),
    ...(cause === undefined ? [] : row('likely', cause, look, 2)),
    ...(exchange === undefined ? [] : row('exchange', `${exchange} in exchanges.har${trace}`, look, 1)),
  ];
}

/** A command is never broken: it is there to be copied. One that is too long for the console stands in repeat.sh. */
function commandLines(curl: string | undefined, clause: string, room: number, look: Look): string[] {
  if (curl === undefined) {
    return [];
  }
  const lines = visible(curl).split('\n');
  if (lines.length > room || curl.length > most.script) {
    return look.folder === undefined
      ? row('repeat', `a script of ${counted(lines.length, 'line')} in repeat.sh`, look, 1)
      : [repeatLine(`sh ${look.folder}/repeat.sh ${clause}`, look)];
  }
  return lines.map((line, index) => repeatLine(line, look, index === 0 ? 'repeat' : ''));
}

const repeatLine = (line: string, look: Look, label = 'repeat'): string =>
  `    ${label.padEnd(11)}${paint(look, 'cyan', line)}`;

function shortLines({ clauses, sentence, verdict }: RootCause, look: Look): string[] {
  const [first] = clauses;
  const whose = clauses.length === 1 ? (first?.id ?? '') : `${counted(clauses.length, 'clause')}`;
  return indented(`${marks[verdict]} ${whose}: ${sentence}`, 2, look, 1);
}
