import { whileRefused } from '../judge/probes.ts';
import { isAdmitted, type Sample } from '../judge/trace.ts';
import { fire, graceShare, keep, type Run, wait } from './run.ts';

/** A call of another kind, with its `route` in the sample. */
export type Probe = (phase: string) => Promise<Sample>;

/** What calls of other kinds came to while the key was refused. */
interface Probed {
  /** No plain call was let in meanwhile. */
  readonly proves: boolean;
  /** Those whose last answer was a 5xx. */
  readonly broken: readonly Probe[];
}

/**
 * While the key is refused: each call of another kind once, between two plain calls, and once more those that were not refused: one
 * call may just have been given back, or be lost.
 */
export async function probeOthers(run: Run, probes: readonly Probe[]): Promise<Probed> {
  if (probes.length === 0 || (await isLetIn(run))) {
    return { proves: probes.length === 0, broken: [] };
  }
  const samples = await probeOnce(run, probes);
  const brokenOf = (tried: readonly Probe[], got: readonly Sample[]): readonly Probe[] =>
    tried.filter((_, index) => (got[index]?.status ?? 0) >= 500);
  const doubted = [...probes.filter((_, index) => isAdmitted(samples[index] as Sample)), ...brokenOf(probes, samples)];
  if ((await isLetIn(run)) || doubted.length === 0) {
    return { proves: doubted.length === 0, broken: brokenOf(probes, samples) };
  }
  const [isGivenBack, again] = await Promise.all([isLetInAmong(run), probeOnce(run, doubted)]);
  return { proves: !(await isLetIn(run)) && !isGivenBack, broken: brokenOf(doubted, again) };
}

async function probeOnce(run: Run, probes: readonly Probe[]): Promise<readonly Sample[]> {
  const samples = await Promise.all(probes.map((send) => send(whileRefused)));
  keep(run, samples, whileRefused);
  return samples;
}

/** Whether a plain call is let in. */
async function isLetIn(run: Run): Promise<boolean> {
  const [plain] = await fire(run, 1, 'probe');
  return plain === undefined || isAdmitted(plain);
}

/** Plain calls that are sent just before others, and with them: one that is given back meanwhile is likely theirs. */
const plainBefore = 3;

async function isLetInAmong(run: Run): Promise<boolean> {
  const calls = Array.from({ length: plainBefore }, () => run.io.send('probe'));
  const samples = (await Promise.all(calls)).map((sample) => ({ ...sample, route: 'a plain call at once' }));
  keep(run, samples, 'probe');
  return samples.some(isAdmitted);
}

/** Calls that got a 5xx while the key was refused, once more when it is not: some fail at any time. */
export async function tryAgain(run: Run, probes: readonly Probe[]): Promise<void> {
  if (probes.length > 0) {
    await wait(run, run.terms.windowMs * (1 + graceShare));
    keep(run, await Promise.all(probes.map((send) => send('twin'))), 'twin');
  }
}
