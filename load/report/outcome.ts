import type { Settings } from '../../settings/settings.ts';
import { targetsOf } from '../../settings/target.ts';
import { type Arguments, scripts } from '../runner/arguments.ts';
import type { Conducted } from '../runner/conduct.ts';
import type { SkippedKey } from '../runner/keys.ts';
import { concludeLoad, notTried } from '../verdict/conclude-load.ts';
import { type Judgement, mainClauses, stoppedAnswering } from '../verdict/over-limit.ts';
import { verdicts } from '../verdict/verdicts.ts';
import type { LoadRun } from './load-run.ts';

/** The circumstances of a run. */
interface About {
  readonly options: Arguments;
  readonly settings: Settings;
  readonly startedAt: Date;
  readonly suite: LoadRun['suite'];
  /** Why the run was stopped early; null if it was not. */
  readonly interrupted: () => string | null;
}

/** Judges the calls that were made, if any, and concludes the run. */
export function runOf(about: About, conducted: Conducted | { readonly skipped: readonly SkippedKey[] }): LoadRun {
  const { options, settings, startedAt, suite } = about;
  const { script } = options;
  const sent = 'plan' in conducted ? conducted : null;
  const skipped = 'plan' in conducted ? conducted.keys.skipped : conducted.skipped;
  const samples: LoadRun['samples'] = sent?.trace.bySubject ?? new Map();
  const defects = sent?.trace.defects ?? [];
  const judgement: Judgement =
    sent === null ? { results: [], details: {}, main: mainClauses(script) } : verdicts[script](sent.plan, sent.trace);
  const interrupted = about.interrupted();
  const { clauses, ...conclusion } = concludeLoad(judgement, {
    strict: settings.STRICT === '1',
    interrupted,
    defects,
    skipped,
  });
  const messages = new Set(clauses.flatMap(({ findings }) => findings.map(({ message }) => message)));
  return {
    script,
    question: scripts[script],
    suite,
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    targets: Object.fromEntries(targetsOf(settings).map(({ api, origin }) => [api, { url: origin }])),
    clockSpeed: settings.CLOCK_SPEED,
    k6: sent?.k6?.version ?? null,
    instances: options.instances,
    ...conclusion,
    clauses,
    keys: judgement.details,
    partial: interrupted !== null || [...samples.values()].some(stoppedAnswering),
    samples,
    notes: [...(sent?.notes ?? []), ...defects, ...skipped.map(notTried)].filter((note) => !messages.has(note)),
  };
}
