import { whileRefused } from '../judge/probes.ts';
import { isAdmitted, type Sample } from '../judge/trace.ts';
import { fire, graceShare, keep, type Run, wait } from './run.ts';

/** A call of another kind, with its `route` in the sample. */
export type Probe = (phase: string) => Promise<Sample>;

/**
 * While the key is refused: each call of another kind once, between two plain calls, and once more those that were let in: one call
 * may just have been given back. Gives those that got a 5xx.
 */
export async function probeOthers(run: Run, probes: readonly Probe[]): Promise<readonly Probe[]> {
  const [plain] = probes.length === 0 ? [] : await fire(run, 1, 'probe');
  if (plain === undefined || isAdmitted(plain)) {
    return [];
  }
  const samples = await probeOnce(run, probes);
  const letIn = probes.filter((_, index) => isAdmitted(samples[index] as Sample));
  if (letIn.length > 0) {
    await probeOnce(run, letIn);
  }
  return probes.filter((_, index) => (samples[index]?.status ?? 0) >= 500);
}

async function probeOnce(run: Run, probes: readonly Probe[]): Promise<readonly Sample[]> {
  const samples = await Promise.all(probes.map((send) => send(whileRefused)));
  keep(run, samples, whileRefused);
  await fire(run, 1, 'probe');
  return samples;
}

/** Calls that got a 5xx while the key was refused, once more when it is not: some fail at any time. */
export async function tryAgain(run: Run, probes: readonly Probe[]): Promise<void> {
  if (probes.length > 0) {
    await wait(run, run.terms.windowMs * (1 + graceShare));
    keep(run, await Promise.all(probes.map((send) => send('twin'))), 'twin');
  }
}
