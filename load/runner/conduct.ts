import { request } from 'undici';
import { CannotRun } from '../../common/cannot-run.ts';
import { explainFailure } from '../../common/transport-failure.ts';
import { counted } from '../../common/words.ts';
import { liveLine } from '../../reports/live-line.ts';
import type { Settings } from '../../settings/settings.ts';
import { cannotReach, targetsOf } from '../../settings/target.ts';
import { type Plan, planOf, settingsOfScripts } from '../seam/make-plan.ts';
import { keyNames, plainRead, type ScriptName, settingOf, type Variables } from '../seam/plan.ts';
import type { Line } from '../seam/trace.ts';
import { assertDayLeft, forecast, recordDay, spentToday } from './days.ts';
import { findK6 } from './find-k6.ts';
import { type KeyMaker, makeKeys } from './keys.ts';
import { collect, launch, type Trace } from './launch.ts';

/** A run whose calls have been made, ready to be concluded and reported. */
export interface Conducted extends Trace {
  readonly plan: Plan;
  /** The version of the k6 that made the calls. */
  readonly k6: string;
  readonly notes: readonly string[];
}

/** Everything that a run needs. */
interface LoadRunParts {
  readonly script: ScriptName;
  readonly settings: Settings;
  /** The command's options as the script's variables, and the user's own options for k6. */
  readonly options: Variables;
  readonly k6Options: readonly string[];
  readonly env: Variables;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
  /** Called with every secret of the run as soon as it is known. */
  readonly learn: (secret: string) => void;
  /** Opens the maker of the run's own keys. Called once, when the target answers and k6 is found. */
  readonly openMaker: () => KeyMaker;
}

/**
 * Finds k6, makes keys if needed, makes the calls, collects the trace, and deletes the keys that it made, even if
 * something breaks. Where no key may be tried, the plan says why and there are no calls. Throws CannotRun.
 */
export async function conductLoad(parts: LoadRunParts): Promise<Conducted> {
  const { script, settings, env, say } = parts;
  const given = { ...variablesOf(settings), ...parts.options };
  // Wrong options are found before anything is sent, and a target that is down before a k6 is built.
  await assertReachable(settings, planOf(script, given));
  const k6 = await findK6({ env, say });
  const maker = parts.openMaker();
  const notes: string[] = [];
  try {
    const own = await makeKeys(script, given, maker);
    for (const name of keyNames.map(settingOf)) {
      parts.learn(own[name] ?? '');
    }
    const made = { ...given, ...own };
    const isDay = script === 'per-day';
    const variables = isDay ? { ...made, LOAD_SPENT: spentToday(planOf(script, made), made, Date.now()) } : made;
    const plan = planOf(script, variables);
    if (plan.subjects.length === 0) {
      return { plan, k6: k6.version, notes, samples: new Map(), judged: new Map(), defects: [] };
    }
    if (plan.trouble !== null) {
      throw new CannotRun(plan.trouble);
    }
    if (isDay) {
      for (const subject of plan.subjects) {
        say(forecast(plan, subject));
      }
      assertDayLeft(plan, Date.now());
    }
    say(`k6 ${k6.version}: ${script} on ${plan.subjects.map(({ label }) => label).join(', ')}`);
    const progress = showProgress();
    const { signal, k6Options: options } = parts;
    const launching = { plan, variables, k6, options, env, signal, onLine: progress.take };
    const trace = collect(await launch(launching).finally(progress.stop), plan);
    for (const subject of isDay ? plan.subjects : []) {
      recordDay(subject, trace.samples.get(subject.label) ?? [], plan.clockSpeed, variables);
    }
    return { ...trace, plan, k6: k6.version, notes };
  } finally {
    notes.push(...(await maker.close()));
  }
}

/** Shows what each key is called for, and how many calls were made with it, while k6 runs. */
function showProgress(): { take(line: Line): void; stop(): void } {
  const made = new Map<string, { readonly phase: string; readonly calls: number }>();
  const text = (): string =>
    [...made].map(([label, { phase, calls }]) => `${label}: ${phase}, ${counted(calls, 'call')}`).join(' · ');
  return {
    stop: liveLine(process.stderr, text),
    take(line) {
      if (line.t === 'call') {
        made.set(line.subject, { phase: line.sample.phase, calls: (made.get(line.subject)?.calls ?? 0) + 1 });
      }
    },
  };
}

/** The settings that scripts read, as variables. */
const variablesOf = (settings: Settings): Variables =>
  Object.fromEntries(
    Object.entries(settings)
      .filter(([name]) => settingsOfScripts.includes(name))
      .map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : String(value)]),
  );

/** Throws CannotRun, which names the setting, if a target gives no response at all. Calls without a key. */
async function assertReachable(settings: Settings, { subjects, skipped }: Plan): Promise<void> {
  const apis = new Set([...subjects, ...skipped].map(({ api }) => api));
  for (const { api, origin, setting } of targetsOf(settings).filter((target) => apis.has(target.api))) {
    try {
      const signal = AbortSignal.timeout(settings.TIMEOUT_MS);
      const headers = { ...settings.EXTRA_HEADERS, Accept: 'application/json' };
      const { body } = await request(origin + plainRead[api], { headers, signal });
      await body.dump();
    } catch (error) {
      throw new CannotRun(cannotReach(setting, origin, explainFailure(error)));
    }
  }
}
