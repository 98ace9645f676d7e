import { counted } from '../../common/words.ts';
import type { CheckResult } from './judge.ts';
import type { ReceiverReport } from './report.ts';

const signs = { pass: 'ok', fail: 'FAIL', inconclusive: '?', observed: '-' } as const;

/** The report as a table: verdict, check, expectation, and the answer. */
export function consoleTable(report: ReceiverReport): string {
  const width = Math.max(...report.checks.map(({ id }) => id.length));
  const row = ({ id, title, expects, verdict, message }: CheckResult): string =>
    `${signs[verdict].padEnd(4)}  ${id.padEnd(width)}  ${expects}  ${title}${message === '' ? '' : `: ${message}`}`;
  return [
    `Receiver ${report.url}, scheme ${report.scheme}, ${counted(report.requests, 'request')}`,
    '',
    ...report.checks.map(row),
    '',
    ...report.summary,
    ...report.notTested.map((one) => `Note: ${one}`),
  ].join('\n');
}
