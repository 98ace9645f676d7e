import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CannotRun } from '../../common/cannot-run.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Plan } from '../seam/plan.ts';
import type { Arguments } from './arguments.ts';
import { collect, type Trace } from './collect.ts';
import { forecast, recordDays, spentBy, waitForDay } from './days.ts';
import { findK6, type K6 } from './find-k6.ts';
import { chooseKeys, type KeyMaker, type Keys, type SkippedKey } from './keys.ts';
import { launch } from './launch.ts';
import { makePlan } from './make-plan.ts';
import { showProgress } from './progress.ts';
import { assertReachable } from './reach.ts';

/** A run whose calls have been made, ready to be judged and reported. */
export interface Conducted {
  readonly plan: Plan;
  readonly keys: Keys;
  readonly trace: Trace;
  /** null if the calls were made elsewhere. */
  readonly k6: K6 | null;
  readonly notes: readonly string[];
}

/** Everything that a run needs. */
interface LoadRunParts {
  readonly settings: Settings;
  readonly options: Arguments;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
  /** Called with every secret of the run as soon as it is known. */
  readonly learn: (secret: string) => void;
  /** Opens the maker of the run's own keys. Called once, when the target answers and k6 is found. */
  readonly openMaker: () => KeyMaker;
}

/**
 * Finds k6, chooses or makes the keys, makes the calls, collects the trace, and deletes the keys that it made, even if
 * something breaks. If no key may be tried, `skipped` says why. Throws CannotRun.
 */
export async function conductLoad(
  parts: LoadRunParts,
): Promise<Conducted | { readonly skipped: readonly SkippedKey[] }> {
  const { settings, options, env, say } = parts;
  // The cheap test comes first: no k6 is built for a target that is down.
  await assertReachable(settings, options.keys);
  const k6 = await findK6({ env, say });
  const maker = parts.openMaker();
  const notes: string[] = [];
  try {
    const keys = await chooseKeys(settings, options, maker);
    Object.values(keys.secrets).forEach(parts.learn);
    if (keys.subjects.length === 0) {
      return { skipped: keys.skipped };
    }
    const plan = await planFor(parts, keys);
    const trace = await send(parts, plan, keys, k6);
    if (options.script === 'per-day') {
      recordDays(keys, trace.bySubject, plan.clockSpeed, fullDays(trace));
    }
    return { plan, keys, trace, k6, notes };
  } finally {
    notes.push(...(await maker.close()));
  }
}

async function planFor({ settings, options, say, signal }: LoadRunParts, keys: Keys): Promise<Plan> {
  if (options.script !== 'per-day') {
    return makePlan(settings, options, keys.subjects, {}, Date.now());
  }
  const speed = settings.CLOCK_SPEED;
  const spent = spentBy(keys, speed, Date.now());
  const plan = makePlan(settings, options, keys.subjects, spent, Date.now());
  forecast(keys, spent, options, speed).forEach(say);
  const wait = waitForDay(keys, spent, options, speed, Date.now());
  if (wait === 0) {
    return plan;
  }
  say(`The deployment's day ends in ${Math.ceil(wait / 1000)} s, before it could be filled: waiting for the next one`);
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, wait);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
  return makePlan(settings, options, keys.subjects, spentBy(keys, speed, Date.now()), Date.now());
}

const isFull = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'refusedForDay' in value && value.refusedForDay === true;

const fullDays = ({ notes }: Trace): Set<string> =>
  new Set(notes.filter(({ note, value }) => note === 'day' && isFull(value)).map(({ subject }) => subject));

async function send({ options, env, signal, say }: LoadRunParts, plan: Plan, keys: Keys, k6: K6): Promise<Trace> {
  const { instances: count } = options;
  const folder = mkdtempSync(join(tmpdir(), 'load-'));
  const progress = showProgress(plan, process.stderr);
  const labels = plan.subjects.map(({ label }) => label).join(', ');
  say(`k6 ${k6.version}: ${plan.script} on ${labels}${count > 1 ? `, ${count} instances` : ''}`);
  try {
    const launching = { k6, plan, secrets: keys.secrets, folder, env, onLine: progress.take, signal };
    const instances = Array.from({ length: count }, (_, index) => launch(launching, index, count));
    return collect(await Promise.all(instances), plan);
  } catch (error) {
    throw error instanceof Error && 'code' in error ? new CannotRun(`Cannot run k6: ${error.message}`) : error;
  } finally {
    progress.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
