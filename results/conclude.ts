import type { Api } from '../contract/clause.ts';
import { apiOf } from '../contract/clauses.ts';
import { cut } from './bound.ts';
import { type ClauseResult, type Run, totalsOf } from './verdict.ts';

/** What beside the verdicts decides how a run ends. */
export interface Circumstances {
  /** Setting STRICT: a failed `should` fails the run too. */
  readonly strict: boolean;
  /** The APIs that the run was to judge. */
  readonly targeted: readonly Api[];
  /** The clauses that were chosen (Vitest's -t); absent: all. An API of which none was chosen need not be judged. */
  readonly selected?: (id: string) => boolean;
  /** Waivers that no longer hold, one line each (applyWaivers). */
  readonly waiverProblems?: readonly string[];
  /** What kept the run from being carried through, and what to do: the target is out of reach, it was interrupted. */
  readonly trouble?: string | null;
}

export type Conclusion = Pick<Run, 'conformant' | 'exitCode' | 'reason'>;

/**
 * The end of a run, by INTERFACE.md (Commands, Exit status). In this order:
 *  1. A failed `must`, or with STRICT a failed `should`: 1, whatever else happened. That the deployment does not conform
 *     has then been told, and no broken or undecided check can take it back.
 *  2. A broken check, a run that was not carried through, or a targeted API with nothing judged: 2.
 *  3. A waiver that no longer holds: 1. It comes after 2, because stale paperwork tells nothing about the deployment.
 *  4. Otherwise 0. Inconclusive and skipped clauses alone do not fail a run in which something was judged.
 * `conformant` says the same again: true with 0, false with 1, null with 2.
 */
export function conclude(results: readonly ClauseResult[], circumstances: Circumstances): Conclusion {
  const no = failures(results, circumstances);
  const unknown = no.length > 0 ? [] : obstacles(results, circumstances);
  const stale = circumstances.waiverProblems ?? [];
  if (no.length > 0) {
    return { conformant: false, exitCode: 1, reason: line([...no, ...stale]) };
  }
  if (unknown.length > 0) {
    return { conformant: null, exitCode: 2, reason: line([...unknown, ...stale]) };
  }
  if (stale.length > 0) {
    return { conformant: false, exitCode: 1, reason: line(stale) };
  }
  return { conformant: true, exitCode: 0, reason: success(results) };
}

function failures(results: readonly ClauseResult[], { strict }: Circumstances): string[] {
  const failed = results.filter(({ verdict }) => verdict === 'fail');
  const warned = strict ? results.filter(({ verdict }) => verdict === 'warn') : [];
  return [
    ...(failed.length > 0 ? [`${count(failed.length, 'must')} failed (${ids(failed)})`] : []),
    ...(warned.length > 0 ? [`${count(warned.length, 'should')} failed, and STRICT is set (${ids(warned)})`] : []),
  ];
}

function obstacles(results: readonly ClauseResult[], circumstances: Circumstances): string[] {
  const broken = results.filter(({ verdict }) => verdict === 'broken');
  const isSelected = circumstances.selected ?? (() => true);
  const unjudged = circumstances.targeted.filter((api) => !isJudged(results, api, isSelected));
  return [
    ...(circumstances.trouble ? [circumstances.trouble] : []),
    ...(broken.length > 0
      ? [`${count(broken.length, 'check')} of the suite itself broke (${ids(broken)}): report it`]
      : []),
    ...unjudged.map(
      (api) =>
        `nothing was judged for the ${api} API${mostly(
          results.filter(({ id }) => isSelected(id)),
          api,
        )}`,
    ),
  ];
}

/**
 * Whether a `must` of the API passed or failed (a waived one failed). Where no `must` was chosen, any clause that was
 * decided counts, and where nothing was chosen nothing is missing.
 */
function isJudged(results: readonly ClauseResult[], api: Api, selected: (id: string) => boolean): boolean {
  const chosen = results.filter(({ id }) => apiOf(id) === api && selected(id));
  const musts = chosen.filter(({ level }) => level === 'must');
  const decided = ({ verdict, waiver }: ClauseResult): boolean =>
    waiver !== undefined || !['inconclusive', 'skip', 'broken'].includes(verdict);
  return chosen.length === 0 || (musts.length > 0 ? musts : chosen).some(decided);
}

/** The commonest cause for which an API's clauses were left undecided: what to do about it. */
function mostly(results: readonly ClauseResult[], api: Api): string {
  const causes = results.filter(({ id }) => apiOf(id) === api).map(({ findings }) => findings[0]?.message ?? '');
  const counts = Map.groupBy(
    causes.filter((cause) => cause !== ''),
    (cause) => cause,
  );
  const first = [...counts].sort(([, a], [, b]) => b.length - a.length)[0];
  return first === undefined ? '' : `, most often because: ${cut(first[0], 300)}`;
}

function success(results: readonly ClauseResult[]): string {
  const { pass, warn, inconclusive, skip, observed } = totalsOf(results);
  const waived = results.filter(({ waiver }) => waiver !== undefined).length;
  const rest: readonly (readonly [number, string])[] = [
    [warn, warn === 1 ? 'warning' : 'warnings'],
    [inconclusive - waived, 'inconclusive'],
    [skip, 'skipped'],
    [observed, 'observed'],
  ];
  const said = rest.filter(([many]) => many > 0).map(([many, what]) => `, ${many} ${what}`);
  const failed = waived === 0 ? 'no must failed' : `nothing failed but the ${waived} that WAIVERS sets aside`;
  return `${pass} of ${count(results.length, 'clause')} passed and ${failed}${said.join('')}`;
}

const count = (many: number, noun: string): string => `${many} ${noun}${many === 1 ? '' : 's'}`;

function ids(results: readonly ClauseResult[]): string {
  const shown = results.slice(0, 3).map(({ id }) => id);
  return [...shown, ...(results.length > 3 ? ['…'] : [])].join(', ');
}

const line = (parts: readonly string[]): string => cut(parts.join('; ').replace(/\s+/g, ' ').trim(), 1_000);
