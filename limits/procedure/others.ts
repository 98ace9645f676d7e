import { whileRefused } from '../judge/probes.ts';
import { isAdmitted, type Sample } from '../judge/trace.ts';
import { fire, graceShare, keep, type Probe, type Run, wait } from './run.ts';

/** The outcome of a round of probes. */
interface Probed {
  /** Whether no plain call was admitted meanwhile, so that the probes prove something. */
  readonly proves: boolean;
  /** The probes whose last answer was a 5xx. */
  readonly broken: readonly Probe[];
}

/**
 * Makes each call of another kind once while the key is refused, between two plain calls, and once more those that were
 * not refused: a call may just have been freed, or a single answer may be an accident.
 */
export async function probeOthers(run: Run, probes: readonly Probe[]): Promise<Probed> {
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
  const [anyFreed, again] = await Promise.all([isAnyAdmitted(run), probeOnce(run, doubted)]);
  const broken = brokenOf(doubted, again);
  // One that broke once and was admitted once did either by chance.
  const isAnyUnclear = again.some((sample, index) => {
    const first = samples[probes.indexOf(doubted[index] as Probe)];
    return wasAdmitted(sample) && !wasAdmitted(first);
  });
  return { proves: !(await isAdmittedNow(run)) && !anyFreed && !isAnyUnclear, broken };
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
    phase,
  );
  return samples;
}

/** Whether a plain call is admitted. */
async function isAdmittedNow(run: Run): Promise<boolean> {
  const [plain] = await fire(run, 1, 'probe');
  return plain === undefined || isAdmitted(plain);
}

/** How many plain calls are sent just before probes. If a call is freed meanwhile, most likely one of these gets it. */
const plainBefore = 3;

async function isAnyAdmitted(run: Run): Promise<boolean> {
  const calls = Array.from({ length: plainBefore }, () => run.io.send('probe'));
  const samples = (await Promise.all(calls)).map((sample) => ({ ...sample, route: 'a plain call at once' }));
  keep(run, samples, 'probe');
  return samples.some(isAdmitted);
}

/** Makes calls that got a 5xx while the key was refused once more when it is not: some fail at any time. */
export async function tryAgain(run: Run, probes: readonly Probe[]): Promise<void> {
  if (probes.length > 0) {
    await wait(run, run.terms.windowMs * (1 + graceShare));
    await probeOnce(run, probes, 'twin');
  }
}
