import { thousands } from '../../common/words.ts';
import { oneLine } from '../../reports/text.ts';
import { headline } from '../../reports/words.ts';
import { type LoadRun, traceCounts } from './load-run.ts';

/**
 * The console report: each clause with its findings, the counts, where the reports are, and the verdict as the last
 * line.
 */
export function loadConsole(run: LoadRun, question: string, where: string): string {
  const counts = Object.entries(traceCounts([...run.samples.values()].flat()))
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${thousands(count)} ${name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`);
  const lines = [
    `${run.suite.name} ${run.suite.version}  load ${run.script}: ${question}`,
    ...Object.entries(run.targets).map(([api, { url }]) => `  ${api.padEnd(10)} ${oneLine(url, 200)}`),
    '',
    ...run.clauses.flatMap(({ id, verdict, findings }) => [
      `  ${verdict.padEnd(13)} ${id}`,
      ...findings.slice(0, 5).map(({ message }) => `${' '.repeat(16)}${oneLine(message, 400)}`),
    ]),
    ...Object.entries(run.keys).flatMap(([key, detail]) =>
      sentencesOf(detail).map((text) => `  ${key}: ${oneLine(text, 300)}`),
    ),
    ...run.notes.map((note) => `  - ${oneLine(note, 300)}`),
    '',
    `${counts.join(', ') || 'no call was made'}; ${where}`,
    `${headline(run).toUpperCase()} (exit status ${run.exitCode}): ${oneLine(run.reason, 600)}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** The sentences in the judge's details on a key. */
export function sentencesOf(detail: unknown): string[] {
  if (typeof detail !== 'object' || detail === null) {
    return [];
  }
  return Object.entries(detail).flatMap(([name, value]) => {
    if (typeof value === 'string' && (name === 'says' || name === 'worth')) {
      return [value];
    }
    return typeof value === 'object' &&
      value !== null &&
      'says' in value &&
      typeof value.says === 'string' &&
      (name === 'perMinute' || name === 'window')
      ? [value.says]
      : [];
  });
}
