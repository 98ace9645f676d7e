// Do two keys draw on one budget?
import { runShared } from '../../limits/procedure/shared.ts';
import { judgePair } from '../judge/shared.ts';
import { job } from '../seam/job.ts';

const { options, setup, run } = job('shared', async ({ subject, send, sendSecond, sleep }, { windowMs }) => {
  const { limit, alone } = subject;
  const rounds = await runShared({ sleep, first: send, second: sendSecond }, { limit, windowMs, idle: alone });
  return judgePair(subject, rounds);
});

export { options, setup };
export default run;
