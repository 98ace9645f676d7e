// Do two keys draw on one budget?

import { counted, thousands } from '../../common/words.ts';
import { isAdmitted, refusalStatus, type Sample } from '../../limits/judge/trace.ts';
import { obstacle } from '../judge/parts.ts';
import { job } from '../seam/job.ts';
import { mainClause, type Plan, type Subject } from '../seam/plan.ts';
import { type Judged, limitClause, type Part } from '../seam/trace.ts';

const { options, setup, run } = job('shared', async (tools, plan) =>
  judgePair(tools.subject, await callInTurn(tools, plan, tools.subject)),
);

export { options, setup };
export default run;

// Whether two keys draw on one budget: the script shared.

/** If nothing was refused in the first round, a window may have ended during its calls, so there is a second. */
const mostRounds = 2;

type Send = (phase: string) => Promise<Sample>;

/**
 * Calls with two keys in turn until both together have made a little more than the limit, and each alone little more than
 * half of it. Returns the samples of each round.
 */
async function callInTurn(
  io: { readonly send: Send; readonly sendSecond: Send; readonly sleep: (ms: number) => Promise<void> },
  { windowMs }: Pick<Plan, 'windowMs'>,
  { limit, alone }: Subject,
): Promise<Sample[][]> {
  const rounds: Sample[][] = [];
  await io.sleep(alone ? 0 : 2 * windowMs);
  for (let round = 1; round <= mostRounds; round += 1) {
    const samples = await Promise.all(
      Array.from({ length: limit + 4 }, (_, call) => (call % 2 === 0 ? io.send : io.sendSecond)(`round ${round}`)),
    );
    rounds.push(samples);
    if (samples.some((sample) => sample.status === refusalStatus(samples))) {
      break;
    }
    await io.sleep(round < mostRounds ? 1.1 * windowMs : 0);
  }
  return rounds;
}

/**
 * Judges the rounds of calls with a pair of keys: they share a budget if the two together are refused, and each alone is
 * far from the limit. The workspace API documents one budget for all keys; the developer API leaves it open.
 */
function judgePair({ api, limit }: Subject, rounds: readonly (readonly Sample[])[]): Judged {
  const answer = (verdict: Part['verdict'], says: string, shared: boolean | null): Judged => ({
    parts: [
      {
        clause: limitClause(api, mainClause.shared[api]),
        verdict,
        says,
        expected: 'one budget for both keys',
        ...(shared === null ? {} : { observed: { shared, says } }),
      },
    ],
    says: [says],
    detail: { shared, says },
  });
  const samples = rounds.flat();
  const why = obstacle(samples);
  if (why !== null) {
    return answer('undecided', why, null);
  }
  const last = rounds.at(-1) ?? [];
  const admitted = last.filter(isAdmitted).length;
  const isRefused = last.some(({ status }) => status === refusalStatus(samples));
  if (isRefused && admitted < limit / 2) {
    const says = `Refused after ${admitted} calls of both keys together: the limit is lower than documented, see limits.per-minute.`;
    return answer('undecided', says, null);
  }
  return isRefused
    ? answer('holds', `Both keys together were admitted ${admitted} times, and then refused: one budget.`, true)
    : answer(
        'fails',
        `Both keys together were admitted ${thousands(admitted)} times in each of ${counted(rounds.length, 'round')}, and never refused: each has a limit of its own.`,
        false,
      );
}
