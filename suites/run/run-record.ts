import { readFileSync } from 'node:fs';
import { createRedactor } from '../../common/redact.ts';
import type { Api } from '../../contract/clause.ts';
import { clauses } from '../../contract/clauses.ts';
import { type Circumstances, conclude } from '../../results/conclude.ts';
import { driftOf, type Observed } from '../../results/drift.ts';
import type { Exchange } from '../../results/exchange.ts';
import type { ClauseResult, Run } from '../../results/verdict.ts';
import { applyWaivers, type Waiver } from '../../results/waivers.ts';
import { type Settings, shownSettings } from '../../settings/settings.ts';
import type { Target } from '../../settings/target.ts';
import { resultOf } from '../engine/engine.ts';
import type { Selection } from './selection.ts';

/** What is known of a run at any time, also before its settings could be read. */
export interface RunRecord {
  readonly startedAt: Date;
  settings: Settings | null;
  seed: number;
  targets: readonly Target[];
  selection: Selection | null;
  waivers: readonly Waiver[];
  profile: Observed | null;
  results: readonly ClauseResult[];
  requests: Readonly<Record<Api, number>>;
  notes: string[];
  exchanges: readonly Exchange[];
  /** Takes every secret that the run met out of a text. */
  clean: (text: string) => string;
  /** What kept the run from its end; null: nothing. */
  trouble: string | null;
}

export const newRecord = (startedAt: Date): RunRecord => ({
  startedAt,
  settings: null,
  seed: 0,
  targets: [],
  selection: null,
  waivers: [],
  profile: null,
  results: [],
  requests: { developer: 0, workspace: 0 },
  exchanges: [],
  clean: createRedactor().clean,
  notes: [],
  trouble: null,
});

const manifest = new URL('../../package.json', import.meta.url);

/** Name and version out of package.json. */
export function suiteOf(): Run['suite'] {
  const { name, version } = JSON.parse(readFileSync(manifest, 'utf8')) as Run['suite'];
  return { name, version };
}

/** The run as reports show it: all clauses, waivers applied, drift told, and how it ends. */
export function runOf(record: RunRecord, now: Date): Run {
  const { results, problems, notes } = applyWaivers(allResults(record), record.waivers, now);
  const circumstances: Circumstances = {
    strict: record.settings?.STRICT === '1',
    // Where nothing was tried, the trouble has said why: that nothing was judged goes without saying.
    targeted: record.results.length === 0 ? [] : record.targets.map(({ api }) => api),
    trouble: record.trouble,
    waiverProblems: problems,
    ...(record.selection === null ? {} : { selected: (id: string) => record.selection?.has(id) ?? true }),
  };
  return {
    suite: suiteOf(),
    startedAt: record.startedAt.toISOString(),
    durationMs: Math.max(0, now.getTime() - record.startedAt.getTime()),
    seed: record.seed,
    targets: Object.fromEntries(record.targets.map(({ api, origin }) => [api, { url: origin }])),
    ...conclude(results, circumstances),
    requests: record.requests,
    clauses: results,
    drift: record.profile === null ? [] : driftOf(record.profile, results),
    notes: [...record.notes, ...problems, ...notes],
    settings: record.settings === null ? {} : shownSettings(record.settings),
  };
}

/** A result for every clause, in the contract's order: `skip` with its reason for those that were not judged. */
function allResults({ results, selection, trouble }: RunRecord): ClauseResult[] {
  const judged = new Map(results.map((result) => [result.id as string, result]));
  return clauses.map(({ id }) => {
    const outside = selection?.outside(id) ?? null;
    if (outside !== null) {
      return { ...resultOf(id, 'skip', [outside.finding]), outside: outside.by };
    }
    const message = `Not tried: ${trouble ?? 'the run did not get so far'}`;
    return judged.get(id) ?? resultOf(id, 'skip', [{ message }]);
  });
}
