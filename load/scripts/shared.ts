// Do two keys draw on one budget?
import { callInTurn, judgePair } from '../judge/shared.ts';
import { job } from '../seam/job.ts';

const { options, setup, run } = job('shared', async (tools, plan) =>
  judgePair(tools.subject, await callInTurn(tools, plan, tools.subject)),
);

export { options, setup };
export default run;
