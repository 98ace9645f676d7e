import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKeyMaker } from '../../cli/load/keys.ts';
import { CannotRun } from '../../common/cannot-run.ts';
import type { Api } from '../../contract/clause.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Plan } from '../seam/plan.ts';
import type { Arguments } from './arguments.ts';
import { collect, type Haul } from './collect.ts';
import { enterDays, forecast, spentBy, waitForDay } from './days.ts';
import { findK6, type K6 } from './find-k6.ts';
import { launch } from './launch.ts';
import { makePlan } from './make-plan.ts';
import { showProgress } from './progress.ts';
import { reach } from './reach.ts';
import { type Cast, castOf } from './subjects.ts';

/** A run as it was carried out: what is judged and reported. */
export interface Carried {
  readonly plan: Plan;
  readonly cast: Cast;
  readonly haul: Haul;
  readonly k6: K6;
  readonly notes: readonly string[];
}

export interface Conduct {
  readonly settings: Settings;
  readonly given: Arguments;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
  /** Told every secret of the run as soon as it is known. */
  readonly learn: (secret: string) => void;
}

/**
 * Finds k6, chooses or makes the keys, sends, collects, and deletes the keys it made, also where something breaks.
 * null where no key may be tried: `skipped` says why. Throws CannotRun.
 */
export async function conductLoad(conduct: Conduct): Promise<Carried | { skipped: Cast['skipped'] }> {
  const { settings, given, env, say } = conduct;
  // First what costs nothing: no k6 is built for a target that is down.
  await reach(settings, apisOf(given));
  const k6 = await findK6({ env, say });
  const maker = openKeyMaker(settings);
  const notes: string[] = [];
  try {
    const cast = await castOf(settings, given, maker);
    for (const secret of Object.values(cast.secrets)) {
      conduct.learn(secret);
    }
    if (cast.subjects.length === 0) {
      return { skipped: cast.skipped };
    }
    const plan = await planOf(conduct, cast);
    const haul = await send(conduct, plan, cast, k6);
    if (given.script === 'per-day') {
      enterDays(cast, haul.bySubject, plan.clockSpeed, fullDays(haul));
    }
    return { plan, cast, haul, k6, notes };
  } finally {
    notes.push(...(await maker.close()));
  }
}

const apisOf = ({ keys }: Arguments): Api[] => [
  ...(keys.some((key) => key !== 'workspace') ? ['developer' as const] : []),
  ...(keys.includes('workspace') ? ['workspace' as const] : []),
];

async function planOf({ settings, given, say, signal }: Conduct, cast: Cast): Promise<Plan> {
  if (given.script !== 'per-day') {
    return makePlan(settings, given, cast.subjects, {}, Date.now());
  }
  const speed = settings.CLOCK_SPEED;
  const spent = spentBy(cast, speed, Date.now());
  const plan = makePlan(settings, given, cast.subjects, spent, Date.now());
  forecast(cast, spent, given, speed).forEach(say);
  const wait = waitForDay(cast, spent, given, speed, Date.now());
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
  return makePlan(settings, given, cast.subjects, spentBy(cast, speed, Date.now()), Date.now());
}

const fullDays = (haul: Haul): Set<string> =>
  new Set(
    haul.notes
      .filter(({ note, value }) => note === 'day' && (value as { refusedForDay?: boolean }).refusedForDay === true)
      .map(({ subject }) => subject),
  );

async function send({ given, env, signal, say }: Conduct, plan: Plan, cast: Cast, k6: K6): Promise<Haul> {
  const folder = mkdtempSync(join(tmpdir(), 'load-'));
  const progress = showProgress(plan, process.stderr);
  say(
    `k6 ${k6.version}: ${plan.script} on ${plan.subjects.map(({ label }) => label).join(', ')}${given.instances > 1 ? `, ${given.instances} instances` : ''}`,
  );
  try {
    const onLine = progress.take.bind(progress);
    const instances = await Promise.all(
      Array.from({ length: given.instances }, (_, index) =>
        launch({ k6, plan, secrets: cast.secrets, folder, env, onLine, signal }, index, given.instances),
      ),
    );
    return collect(instances, plan);
  } catch (error) {
    throw error instanceof Error && 'code' in error ? new CannotRun(`Cannot run k6: ${error.message}`) : error;
  } finally {
    progress.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
