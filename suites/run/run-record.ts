import { createRedactor } from '../../common/redact.ts';
import { clauses } from '../../contract/clauses.ts';
import { concludeRun } from '../../results/conclude.ts';
import type { Observed } from '../../results/drift.ts';
import { redactedRun } from '../../results/redact-run.ts';
import { timingOf } from '../../results/timing.ts';
import { type ClauseResult, type Run, resultOf } from '../../results/verdict.ts';
import type { Waiver } from '../../results/waivers.ts';
import { type Settings, shownSettings } from '../../settings/settings.ts';
import { targetsOf } from '../../settings/target.ts';
import type { ApiRun } from './api-run.ts';
import type { Selection } from './selection.ts';

/** What is known of a run. It can be reported at any time, even before its settings are read. */
export type RunRecord = ReturnType<typeof newRunRecord>;

export const newRunRecord = (startedAt: Date, folder: string) => ({
  startedAt,
  settings: null as Settings | null,
  /** Where the reports go. */
  folder,
  seed: 0,
  /** Whether the run brings its own deployment. */
  embedded: false,
  selection: null as Selection | null,
  waivers: [] as readonly Waiver[],
  profile: null as Observed | null,
  /** What the runs of the APIs found, as far as they have ended. */
  runs: [] as readonly ApiRun[],
  /** Knows the secrets of the settings. */
  redactor: createRedactor(),
  /** Why the run did not get to its end; null: it did. */
  trouble: null as string | null,
});

/** The run as reports show it, without secrets: what it has found so far, and how it would end now. */
export function runOf(record: RunRecord): Run {
  const { startedAt, settings, seed, embedded, selection, waivers, profile, runs } = record;
  const named = settings === null ? [] : targetsOf(settings);
  const targets = named.length > 0 ? named : runs.map(({ target }) => target);
  const trouble = record.trouble ?? runs.find((run) => run.trouble !== null)?.trouble ?? null;
  const results = allResults(record, trouble);
  const run = concludeRun({
    startedAt,
    seed,
    embedded,
    waivers,
    profile,
    trouble,
    targets: Object.fromEntries(targets.map(({ api, origin }) => [api, { url: origin }])),
    selection: results.some(({ outside }) => outside === 'selection') ? (selection?.chosenBy ?? null) : null,
    results,
    // Each run of the reference has an origin of its own.
    settings: {
      ...(settings === null ? {} : shownSettings(settings)),
      ...runs[0]?.settings,
      ...Object.fromEntries(runs.map(({ target }) => [target.setting, target.origin])),
    },
    timing:
      runs[0] === undefined
        ? null
        : timingOf(
            runs.flatMap(({ budgets }) => budgets),
            runs.flatMap(({ waits }) => waits),
            runs[0].clockSpeed,
          ),
    notes: runs.flatMap(({ notes }) => notes),
    exchanges: runs.flatMap(({ exchanges }) => exchanges),
    deliveries: runs.flatMap(({ deliveries }) => deliveries),
  });
  // The sessions, which know the same secrets and more, have cleaned their evidence.
  const { exchanges, deliveries } = run;
  return { ...redactedRun({ ...run, exchanges: [], deliveries: [] }, record.redactor), exchanges, deliveries };
}

/** A result for every clause, in the contract's order: `skip` with its reason for those that were not judged. */
function allResults({ runs, selection }: RunRecord, trouble: string | null): ClauseResult[] {
  const judged = new Map(runs.flatMap(({ results }) => results).map((result) => [result.id as string, result]));
  return clauses.map(({ id }) => {
    const leftOut = selection?.whyOutside(id) ?? null;
    if (leftOut !== null) {
      return { ...resultOf(id, 'skip', [leftOut.finding]), outside: leftOut.by };
    }
    const message = `Not reached: ${trouble ?? 'the run ended before'}`;
    return judged.get(id) ?? { ...resultOf(id, 'skip', [{ message }]), cutShort: true };
  });
}
