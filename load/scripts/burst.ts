// Is the limit enforced under concurrency? All calls of a burst are under way at once, each on a connection of its own.
import { judgeBursts } from '../../limits/judge/bursts.ts';
import { runBursts } from '../../limits/procedure/burst.ts';
import { assertJudgeable, overLimitParts, withoutForeign } from '../judge/parts.ts';
import { job } from '../seam/job.ts';

/**
 * The part of the clock's minute in which the first burst may be. Later ones, 1.1 windows apart, then stay away from the
 * full minute.
 */
const calm = { from: 0.13, to: 0.42 };

/** How many ms to wait for the calm part. */
function calmIn(now: number, windowMs: number): number {
  const share = (now / windowMs) % 1;
  return share >= calm.from && share <= calm.to ? 0 : ((1 + calm.from - share) % 1) * windowMs;
}

export const { options, setup, run } = job('burst', async (tools, plan) => {
  const { subject, sleep, now } = tools;
  const { windowMs, bursts } = plan;
  const { limit, label, alone } = subject;
  await sleep(alone ? 0 : 2 * windowMs);
  await sleep(calmIn(now(), windowMs));
  await runBursts(tools, { limit, windowMs, bursts, startAt: now() });
  const { samples, says } = withoutForeign(subject, tools.samples());
  assertJudgeable(samples);
  const judged = judgeBursts(samples, { limit, windowMs, key: label, own: alone });
  const { perMinute, remaining, foreign, evidence } = judged;
  return {
    parts: overLimitParts(subject, samples, judged),
    says: [perMinute.says, ...says],
    detail: { perMinute, remaining, foreign, evidence },
  };
});

export default run;
