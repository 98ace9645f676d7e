import { expect, test } from 'vitest';
import { runInProcess } from './run-in-process.ts';
import { tellingRuns } from './telling-runs.ts';

test.for(Object.entries(tellingRuns))('%s', async ([, { chosen, ...plan }]) => {
  const { results, left } = await runInProcess({ ...plan, choices: chosen });
  expect(results.filter(({ verdict }) => !['pass', 'observed', 'inconclusive'].includes(verdict)).map(({ id, findings }) => [id, findings[0]?.message])).toEqual([]);
  expect(left).toEqual([]);
  expect(Object.fromEntries(results.map(({ id, verdict, observed }) => [id, observed === null ? verdict : { [verdict]: observed }]))).toMatchSnapshot();
});
