import { eachReport } from '../../../reports/write.ts';
import type { Run } from '../../../results/verdict.ts';

/** The texts of all report files of a run, by name. */
export const reportsOf = (run: Run, clean: (text: string) => string): ReadonlyMap<string, string> =>
  new Map([...eachReport(run, clean)].map(([name, pieces]) => [name, [...pieces].join('')]));
