import { oneLine } from '../../reports/text.ts';
import { headline } from '../../reports/words.ts';
import { countsText, type LoadRun } from './load-run.ts';

/**
 * The console report: each clause with its findings, the counts, where the reports are, and the verdict as the last
 * line.
 */
export function loadConsole(run: LoadRun, where: string): string {
  const lines = [
    `${run.suite.name} ${run.suite.version}  load ${run.script}: ${run.question}`,
    ...Object.entries(run.targets).map(([api, { url }]) => `  ${api.padEnd(10)} ${oneLine(url, 200)}`),
    '',
    ...run.clauses.flatMap(({ id, verdict, findings }) => [
      `  ${verdict.padEnd(13)} ${id}`,
      ...findings.slice(0, 5).map(({ message }) => `${' '.repeat(16)}${oneLine(message, 400)}`),
    ]),
    ...[...run.judged].flatMap(([key, { says }]) => says.map((text) => `  ${key}: ${oneLine(text, 300)}`)),
    ...run.notes.map((note) => `  - ${oneLine(note, 300)}`),
    '',
    `${countsText([...run.samples.values()].flat()) || 'no call was made'}; ${where}`,
    `${headline(run).toUpperCase()} (exit status ${run.exitCode}): ${oneLine(run.reason, 600)}`,
  ];
  return `${lines.join('\n')}\n`;
}
