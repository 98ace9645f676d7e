import { whileRefused } from '../judge/probes.ts';
import { isAdmitted, type Sample } from '../judge/trace.ts';
import { fire, graceShare, keep, type Probe, type Run, wait } from './run.ts';

/**
 * Makes each call of another kind once while the key is refused, between two plain calls, and once more those that were
 * not refused: a call may just have been freed, or a single answer may be an accident. Gives whether no plain call was
 * admitted meanwhile, so that the probes prove something, and the probes whose last answer was a 5xx (`broken`).
 */
export async function probeOthers(run: Run, probes: readonly Probe[]) {
  if (probes.length === 0 || (await isAdmittedNow(run))) {
    return { proves: probes.length === 0, broken: [] };
  }
  const samples = await probeOnce(run, probes);
  const brokenOf = (tried: readonly Probe[], got: readonly (Sample | null)[]): readonly Probe[] =>
    tried.filter((_, index) => (got[index]?.status ?? 0) >= 500);
  const wasAdmitted = (sample: Sample | null | undefined): boolean => isAdmitted(sample ?? { status: 0 });
  const doubted = [...probes.filter((_, index) => wasAdmitted(samples[index])), ...brokenOf(probes, samples)];
  if ((await isAdmittedNow(run)) || doubted.length === 0) {
    return { proves: doubted.length === 0, broken: brokenOf(probes, samples) };
  }
  // If a call is freed meanwhile, most likely one of the plain calls just before the others gets it.
  const plain: Probe = async () => ({ ...(await run.io.send('probe')), route: 'a plain call at once' });
  const all = await probeOnce(run, [plain, plain, plain, ...doubted]);
  const freed = all.slice(0, 3);
  const again = all.slice(3);
  const broken = brokenOf(doubted, again);
  // One that broke once and was admitted once did either by chance.
  const isAnyUnclear = again.some((sample, index) => {
    const first = samples[probes.indexOf(doubted[index] as Probe)];
    return wasAdmitted(sample) && !wasAdmitted(first);
  });
  return { proves: !(await isAdmittedNow(run)) && !freed.some(wasAdmitted) && !isAnyUnclear, broken };
}

async function probeOnce(
  run: Run,
  probes: readonly Probe[],
  phase = whileRefused,
): Promise<readonly (Sample | null)[]> {
  const samples = await Promise.all(probes.map((send) => send(phase)));
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

/** Makes calls that got a 5xx while the key was refused once more when it is not: some fail at any time. */
export async function tryAgain(run: Run, probes: readonly Probe[]): Promise<void> {
  if (probes.length > 0) {
    await wait(run, run.terms.windowMs * (1 + graceShare));
    await probeOnce(run, probes, 'twin');
  }
}
