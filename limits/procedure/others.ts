import { whileRefused } from '../judge/probes.ts';
import { isAdmitted, type Sample } from '../judge/trace.ts';
import { fire, keep, type Probe, type Run } from './run.ts';

/**
 * Makes each call of another kind once while the key is refused, between two plain calls, and once more those that were
 * not refused: a call may just have been freed. Gives whether no plain call was admitted meanwhile, so that the probes
 * prove something.
 */
export async function probeOthers(run: Run, probes: readonly Probe[]): Promise<boolean> {
  if (probes.length === 0 || (await isAdmittedNow(run))) {
    return probes.length === 0;
  }
  const samples = await probeOnce(run, probes);
  const wasAdmitted = (sample: Sample | null | undefined): boolean => isAdmitted(sample ?? { status: 0 });
  const doubted = probes.filter((_, index) => wasAdmitted(samples[index]));
  if ((await isAdmittedNow(run)) || doubted.length === 0) {
    return doubted.length === 0;
  }
  // If a call is freed meanwhile, most likely one of the plain calls just before the others gets it.
  const plain: Probe = async () => ({ ...(await run.io.send('probe')), route: 'a plain call at once' });
  const freed = (await probeOnce(run, [plain, plain, plain, ...doubted])).slice(0, 3);
  return !(await isAdmittedNow(run)) && !freed.some(wasAdmitted);
}

async function probeOnce(run: Run, probes: readonly Probe[]): Promise<readonly (Sample | null)[]> {
  const samples = await Promise.all(probes.map((send) => send(whileRefused)));
  keep(
    run,
    samples.filter((sample) => sample !== null),
  );
  return samples;
}

/** Whether a plain call is admitted. */
async function isAdmittedNow(run: Run): Promise<boolean> {
  const [plain] = await fire(run, 1, 'probe');
  return plain === undefined || isAdmitted(plain);
}
