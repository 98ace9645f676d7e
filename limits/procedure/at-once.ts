import { fewestBeside } from '../judge/bursts.ts';
import { possiblyWithin, timelineOf } from '../judge/timeline.ts';
import { callsOf } from '../judge/trace.ts';
import { fire, judged, keyOf, type Run, wait } from './run.ts';

/** This many calls, one after the other, are admitted soon after refusals that were about concurrent calls. */
const callsAlone = 3;

/**
 * Whether calls were refused too early because too many were under way at once: each refused call was beside others,
 * and a few calls one after the other are admitted just afterwards, as far as the limit allows. Returns how many at
 * once are admitted; null if there is another reason.
 */
export async function mostAtOnce(run: Run): Promise<number | null> {
  const { limit, windowMs } = run.terms;
  const calls = callsOf(run.samples, keyOf(run)).filter(({ sample }) => sample.phase !== 'before');
  const refused = calls.filter(({ outcome }) => outcome === 'refused');
  const beside = fewestBeside(
    refused,
    calls.filter(({ outcome }) => outcome !== 'refused'),
  );
  if (judged(run).evidence.fewestAtRefusal >= limit || beside === 0) {
    return null;
  }
  await wait(run, windowMs / 300);
  for (let call = 0; call < callsAlone; call += 1) {
    const [sample] = await fire(run, 1, 'alone');
    if (sample === undefined || sample.status === refused[0]?.sample.status) {
      const { possible } = timelineOf(callsOf(run.samples, keyOf(run)));
      const isFull =
        sample !== undefined && possiblyWithin(possible, sample.sentAt - windowMs, sample.receivedAt) >= limit;
      return isFull ? beside : null;
    }
  }
  return beside;
}
