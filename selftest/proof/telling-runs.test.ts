import { expect, test } from 'vitest';
import { sortsOf } from './left.ts';
import { losingAnswers } from './lost-answers.ts';
import { runInProcess } from './run-in-process.ts';
import { slowedBy, tellingRuns } from './telling-runs.ts';

test.for(Object.entries(tellingRuns))('%s', async ([, { chosen, fault, loses, slowMs, ...plan }]) => {
  const lossy = loses === undefined ? slowMs === undefined ? {} : { between: slowedBy(slowMs) } : { between: losingAnswers(loses).between };
  const { results, left } = await runInProcess({ ...plan, ...lossy, choices: chosen, faults: fault === undefined ? [] : [fault] });
  const red = results.filter(({ verdict }) => !['pass', 'observed', 'inconclusive'].includes(verdict));
  if (fault === undefined) expect(red.map(({ id, findings }) => [id, findings[0]?.message])).toEqual([]);
  const seen = Object.fromEntries(results.map(({ id, verdict, observed }) => [id, observed === null ? verdict : { [verdict]: observed }]));
  expect(left.length === 0 ? seen : { ...seen, left: sortsOf(left) }).toMatchSnapshot();
});
