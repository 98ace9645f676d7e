import { systemClock } from '../common/clock.ts';
import { suiteOf } from '../common/suite.ts';
import { counted } from '../common/words.ts';
import type { ApiName } from '../contract/clause.ts';
import { apiOf } from '../contract/clauses.ts';
import { boundResult, cut } from './bound.ts';
import { type Observed, observedChanges, profileOf } from './drift.ts';
import type { Exchange } from './exchange.ts';
import { simplestFirst } from './root-causes.ts';
import { unlocksOf, unlockText } from './unlocks.ts';
import { type ClauseResult, type Run, type Word, wordOf } from './verdict.ts';
import { applyWaivers, type Waiver } from './waivers.ts';

/** What a run is without, unless its parts say otherwise. */
const usual = {
  suite: suiteOf(),
  seed: 0,
  embedded: false,
  selection: null,
  timing: null,
  waivers: [],
  profile: null,
  trouble: null,
  notes: [],
  exchanges: [],
  deliveries: [],
} as const;

/** The parts of a run before it is concluded. */
interface RunParts
  extends Omit<
    Run,
    'startedAt' | 'durationMs' | 'requests' | 'conformant' | 'exitCode' | 'reason' | 'clauses' | 'drift'
  > {
  readonly startedAt: Date;
  /** Now, if it is not given. */
  readonly endedAt?: Date;
  /** Those of the exchanges, if they are not given. */
  readonly requests?: Run['requests'];
  /** A result for every clause, in the contract's order. */
  readonly results: readonly ClauseResult[];
  readonly waivers: readonly Waiver[];
  /** What an accepted run observed (setting PROFILE); null if none is given. */
  readonly profile: Observed | null;
  /** Why the run could not be finished, and what to do about it; null if it was finished. */
  readonly trouble: string | null;
}

/** How many changes and notes a run has. */
const most = { drift: 500, notes: 500 } as const;

/**
 * The run as every report shows it: all that a target or a file may say cut to its bounds, exchanges numbered, waivers
 * applied, drift found, exit status decided.
 */
export function concludeRun(given: Omit<RunParts, keyof typeof usual> & Partial<RunParts>): Run {
  const parts: RunParts = { ...usual, ...given };
  const {
    startedAt,
    endedAt = new Date(systemClock.now()),
    results: found,
    waivers,
    profile,
    trouble,
    ...rest
  } = parts;
  const exchanges = [...rest.exchanges].sort((a, b) => a.sentAt - b.sentAt || a.number - b.number);
  const { results, problems } = applyWaivers(tidied(found.map(boundResult), exchanges), waivers, endedAt);
  const sentTo = (api: ApiName): number => exchanges.filter((exchange) => exchange.api === api).length;
  const drift = profile === null ? null : observedChanges(profile, profileOf(results));
  return {
    requests: { developer: sentTo('developer'), workspace: sentTo('workspace') },
    ...rest,
    startedAt: startedAt.toISOString(),
    durationMs: Math.max(0, endedAt.getTime() - startedAt.getTime()),
    ...conclude(results, parts, problems),
    clauses: results,
    drift: drift?.slice(0, most.drift) ?? null,
    notes: [...rest.notes, ...problems].slice(0, most.notes).map((note) => cut(note)),
    settings: Object.fromEntries(Object.entries(rest.settings).map(([name, value]) => [name, cut(value)])),
    exchanges: exchanges.map((exchange, index) => ({ ...exchange, number: index + 1 })),
  };
}

/**
 * The results with findings as reports show them. Those of a failure begin with the one that is easiest to reproduce:
 * they come in the order in which calls ended. Exchanges of both APIs are numbered together, in the order of sending, so
 * that a number is the entry's place in exchanges.har. Clauses that passed are not blamed: if a call of theirs failed
 * once, that was an accident.
 */
function tidied(results: readonly ClauseResult[], exchanges: readonly Exchange[]): readonly ClauseResult[] {
  const places = new Map(exchanges.map(({ api, number }, index) => [`${api} ${number}`, index + 1]));
  const holding = new Set<string>(results.flatMap(({ id, verdict }) => (verdict === 'pass' ? [id] : [])));
  return results.map((result) => {
    const hasFailed = result.verdict === 'fail' || result.verdict === 'warn';
    const findings = hasFailed ? simplestFirst(result.findings) : result.findings;
    return {
      ...result,
      findings: findings.map(({ blames, exchange, ...finding }) => ({
        ...finding,
        ...(exchange && { exchange: places.get(`${apiOf(result.id)} ${exchange}`) ?? exchange }),
        ...(blames === undefined || holding.has(blames) ? {} : { blames }),
      })),
    };
  });
}

/**
 * The exit status of a run and the reason for it (docs/verdicts.md, Exit status). The first that applies:
 *  1. A failed `must`, or with STRICT a failed `should`: 1, whatever else happened. The deployment does not conform, and
 *     no broken or undecided check changes that.
 *  2. A broken check, an unfinished run, a targeted API with nothing judged, or with STRICT a `must` that was tried and
 *     stayed inconclusive: 2.
 *  3. A waiver that no longer holds (`stale`): 1. It comes after 2, because it says nothing about the deployment.
 *  4. Otherwise 0. Without STRICT, inconclusive and skipped clauses alone do not fail a run in which something was
 * judged. `conformant` follows from it: true with 0, false with 1, null with 2.
 */
function conclude(results: readonly ClauseResult[], parts: RunParts, stale: readonly string[]) {
  const { settings, targets, selection, trouble } = parts;
  const strict = settings.STRICT === '1';
  const targeted = Object.keys(targets) as ApiName[];
  const ofWord = (wanted: Word): readonly ClauseResult[] => results.filter((result) => wordOf(result) === wanted);
  const stopped = trouble ? [trouble] : [];
  const failed = [
    ...told(ofWord('fail'), 'must clause', 'failed'),
    ...told(strict ? ofWord('warn') : [], 'should clause', 'failed, which STRICT=1 counts'),
  ];
  if (failed.length > 0) {
    // A run that was stopped has not judged the rest.
    return ended(1, [...failed, ...stopped, ...stale]);
  }
  const open = ofWord('inconclusive').filter(({ level }) => strict && level === 'must');
  const unknown = [
    ...stopped,
    ...told(ofWord('broken'), 'check', 'crashed, which is a bug in the suite: please report it'),
    ...unjudged(results, targeted, trouble),
    ...told(open, 'must clause', 'stayed inconclusive, which STRICT=1 does not accept: the findings say what to do'),
  ];
  if (unknown.length > 0) {
    return ended(2, [...unknown, ...stale]);
  }
  return stale.length > 0
    ? ended(1, [`the deployment is conformant, but the waiver file is out of date: ${stale.join('; ')}`])
    : ended(0, success(results, targeted, selection));
}

const ended = (exitCode: Run['exitCode'], reasons: readonly string[]) => ({
  conformant: exitCode === 2 ? null : exitCode === 0,
  exitCode,
  reason: cut(reasons.join('; ').replace(/\s+/g, ' ').trim(), 1_000),
});

/** That so many clauses ended in a way, with the first of their ids; nothing if none did. */
function told(results: readonly ClauseResult[], noun: string, end: string): string[] {
  const ids = results.slice(0, 3).map(({ id }) => id);
  const shown = [...ids, ...(results.length > 3 ? ['…'] : [])].join(', ');
  return results.length === 0 ? [] : [`${counted(results.length, noun)} ${end} (${shown})`];
}

/** That no clause of some APIs could be judged, and why. Where nothing was tried, the trouble alone already says so. */
function unjudged(results: readonly ClauseResult[], targeted: readonly ApiName[], trouble: string | null): string[] {
  if (trouble !== null && results.every(({ verdict, cutShort }) => verdict === 'skip' || cutShort)) {
    return [];
  }
  const open = targeted.filter((api) => !isJudged(results, api));
  return [...Map.groupBy(open, (api) => (trouble ? '' : commonCause(results, api)))].map(
    ([cause, apis]) => `no clause of the ${apis.join(' and the ')} API could be judged${cause}`,
  );
}

/**
 * Whether anything was judged for an API: a `must` passed or failed (a waived one counts as failed). If no `must` was
 * to be judged, any decided clause will do; if no clause was to be judged, nothing is missing.
 */
function isJudged(results: readonly ClauseResult[], api: ApiName): boolean {
  const own = results.filter(({ id, outside }) => apiOf(id) === api && outside === undefined);
  const musts = own.filter(({ level }) => level === 'must');
  const isOpen = (result: ClauseResult): boolean => ['inconclusive', 'skip', 'broken'].includes(wordOf(result));
  return own.length === 0 || !(musts.length > 0 ? musts : own).every(isOpen);
}

/** The most frequent reason why an API's clauses were left undecided, as the end of a sentence. */
function commonCause(results: readonly ClauseResult[], api: ApiName): string {
  const shown = results
    .filter(({ id, outside }) => apiOf(id) === api && outside === undefined)
    .flatMap(({ findings }) => findings.slice(0, 1));
  const likely = shown.flatMap(({ advice, cause }) => advice ?? cause ?? []);
  const causes = likely.length > 0 ? likely : shown.map(({ message }) => message);
  const [first] = [...Map.groupBy(causes, (cause) => cause)].sort(([, a], [, b]) => b.length - a.length);
  return first === undefined ? '' : `; the most common reason: ${cut(first[0], 300)}`;
}

/** How many clauses passed, how the others ended, and which settings would let more be decided. */
function success(results: readonly ClauseResult[], targeted: readonly ApiName[], selection: string | null): string[] {
  const own = results.filter(({ outside }) => outside === undefined);
  const byWord = Map.groupBy(own, wordOf);
  const others = (['observed', 'warn', 'waived', 'inconclusive', 'skip'] as const).filter((word) => byWord.has(word));
  const rest = others.map((word) => `, ${byWord.get(word)?.length} ${word}`).join('');
  const whose = targeted.length === 1 ? ` of the ${targeted[0]} API` : '';
  const of = counted(own.length, selection ? 'chosen clause' : 'clause');
  const leftOut = results.filter(({ outside }) => outside === 'selection').length;
  const unlocks = unlocksOf(results);
  return [
    `${byWord.get('pass')?.length ?? 0} of ${of}${whose} passed${rest}`,
    ...(selection ? [`${selection} excluded ${counted(leftOut, 'clause')}`] : []),
    ...(unlocks.length > 0 ? [`to judge more, set ${unlockText(unlocks)}`] : []),
  ];
}
