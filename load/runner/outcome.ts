import type { Sample } from '../../limits/judge/trace.ts';
import type { Settings } from '../../settings/settings.ts';
import { targetsOf } from '../../settings/target.ts';
import type { LoadRun } from '../report/load-run.ts';
import { concludeLoad } from '../verdict/conclude-load.ts';
import { type Judgement, stoppedAnswering } from '../verdict/over-limit.ts';
import { verdicts } from '../verdict/verdicts.ts';
import { type Arguments, scripts } from './arguments.ts';
import type { Carried } from './conduct.ts';
import type { Cast } from './subjects.ts';

/** What is known of a run whatever came of it. */
export interface About {
  readonly given: Arguments;
  readonly settings: Settings;
  readonly startedAt: Date;
  readonly suite: LoadRun['suite'];
  readonly interrupted: () => string | null;
}

/** The main clause of each script: what is skipped where no key may be tried. */
const mains: Readonly<Record<Arguments['script'], readonly string[]>> = {
  'per-minute': ['developer.limits.per-minute', 'workspace.limits.per-minute'],
  burst: ['developer.limits.per-minute', 'workspace.limits.per-minute'],
  soak: ['developer.limits.per-minute', 'workspace.limits.per-minute'],
  'per-day': ['developer.limits.per-day', 'workspace.limits.per-day'],
  shared: ['developer.limits.key-or-account', 'workspace.limits.per-workspace'],
};

/** Judges what was carried out and says how the run ends. */
export function runOf(
  about: About,
  carried: (Omit<Carried, 'k6'> & { k6: Carried['k6'] | null }) | { skipped: Cast['skipped'] },
): LoadRun {
  const { given, settings, startedAt, suite } = about;
  const sent = 'plan' in carried ? carried : null;
  const judgement: Judgement =
    sent === null
      ? { results: [], details: {}, main: mains[given.script] }
      : verdicts[given.script](sent.plan, sent.haul);
  const interrupted = about.interrupted();
  const { clauses, ...conclusion } = concludeLoad(judgement, {
    strict: settings.STRICT === '1',
    interrupted,
    defects: sent?.haul.defects ?? [],
    skipped: 'plan' in carried ? carried.cast.skipped : carried.skipped,
  });
  return {
    script: given.script,
    question: scripts[given.script],
    suite,
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    targets: Object.fromEntries(targetsOf(settings).map(({ api, origin }) => [api, { url: origin }])),
    clockSpeed: settings.CLOCK_SPEED,
    k6: sent?.k6?.version ?? null,
    instances: given.instances,
    ...conclusion,
    clauses,
    keys: judgement.details,
    partial: interrupted !== null || [...samplesOf(sent).values()].some(stoppedAnswering),
    samples: samplesOf(sent),
    notes: notesOf(sent, 'plan' in carried ? carried.cast.skipped : carried.skipped),
  };
}

const samplesOf = (sent: Omit<Carried, 'k6'> | null): ReadonlyMap<string, readonly Sample[]> =>
  sent?.haul.bySubject ?? new Map<string, readonly Sample[]>();

function notesOf(sent: Omit<Carried, 'k6'> | null, skipped: Cast['skipped']): string[] {
  return [
    ...(sent?.notes ?? []),
    ...(sent?.haul.defects ?? []),
    ...skipped.map(({ label, why }) => `${label} is not tried: ${why}`),
  ];
}
