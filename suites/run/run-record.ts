import { createRedactor } from '../../common/redact.ts';
import { suiteOf } from '../../common/suite.ts';
import type { ApiName } from '../../contract/clause.ts';
import { clauses } from '../../contract/clauses.ts';
import { resultOf } from '../../results/clause-result.ts';
import { concludeRun } from '../../results/conclude-run.ts';
import type { Observed } from '../../results/drift.ts';
import type { Exchange } from '../../results/exchange.ts';
import type { EarlierRun } from '../../results/read-run.ts';
import type { Timing } from '../../results/timing.ts';
import type { ClauseResult, ReceivedDelivery, Run } from '../../results/verdict.ts';
import type { Waiver } from '../../results/waivers.ts';
import { type Settings, shownSettings } from '../../settings/settings.ts';
import type { Target } from '../../settings/target.ts';
import type { Selection } from './selection.ts';

/** What is known of a run. It can be reported at any time, even before its settings are read. */
export interface RunRecord {
  readonly startedAt: Date;
  settings: Settings | null;
  /** Where the reports go. */
  folder: string;
  seed: number;
  targets: readonly Target[];
  /** Whether the run brought its own deployment. */
  embedded: boolean;
  selection: Selection | null;
  waivers: readonly Waiver[];
  profile: Observed | null;
  /** The earlier run whose report is in the folder. */
  before: EarlierRun | null;
  results: readonly ClauseResult[];
  requests: Readonly<Record<ApiName, number>>;
  timing: Timing | null;
  notes: string[];
  exchanges: readonly Exchange[];
  deliveries: readonly ReceivedDelivery[];
  /** Takes every secret that the run met out of a text. */
  clean: (text: string) => string;
  /** Why the run did not get to its end; null: it did. */
  trouble: string | null;
}

export const newRunRecord = (startedAt: Date, folder: string): RunRecord => ({
  startedAt,
  settings: null,
  folder,
  seed: 0,
  targets: [],
  embedded: false,
  selection: null,
  waivers: [],
  profile: null,
  before: null,
  results: [],
  requests: { developer: 0, workspace: 0 },
  timing: null,
  exchanges: [],
  deliveries: [],
  clean: createRedactor().clean,
  notes: [],
  trouble: null,
});

/** The run as reports show it: what it has found so far, and how it would end now. */
export function runOf(record: RunRecord, endedAt: Date): Run {
  const { settings, targets, selection, results: _, clean: __, ...rest } = record;
  const results = allResults(record);
  return concludeRun({
    ...rest,
    suite: suiteOf(),
    endedAt,
    targets: Object.fromEntries(targets.map(({ api, origin }) => [api, { url: origin }])),
    selection: results.some(({ outside }) => outside === 'selection') ? (selection?.chosenBy ?? null) : null,
    results,
    strict: settings?.STRICT === '1',
    settings: settings === null ? {} : shownSettings(settings),
  });
}

/** A result for every clause, in the contract's order: `skip` with its reason for those that were not judged. */
function allResults({ results, selection, trouble }: RunRecord): ClauseResult[] {
  const judged = new Map(results.map((result) => [result.id as string, result]));
  return clauses.map(({ id }) => {
    const leftOut = selection?.whyOutside(id) ?? null;
    if (leftOut !== null) {
      return { ...resultOf(id, 'skip', [leftOut.finding]), outside: leftOut.by };
    }
    const message = `Not reached: ${trouble ?? 'the run ended before'}`;
    return judged.get(id) ?? { ...resultOf(id, 'skip', [{ message }]), cutShort: true };
  });
}
