import { escapeToken, member } from '../common/json.ts';
import { checkedJson } from '../common/json-file.ts';
import schema from './profile.schema.json' with { type: 'json' };
import type { ClauseResult, Drift } from './verdict.ts';

/** What was observed for each gap clause, by its id: the part of profile.json that is compared. */
export type Observed = Readonly<Record<string, unknown>>;

/**
 * The key for the parts of an observation that differ between two runs against an unchanged deployment: times, counts,
 * samples. They are reported, and never become part of a profile.
 */
const volatileKey = 'measured';

/** Observed in place of anything that the run did not come across. It is not compared with what another run saw. */
export const notMet = 'not met in this run';

/** An object with all these names not met: spread into it what was met. */
export const notMetOf = (names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, notMet]));

/** What a run observed for gap clauses and would observe again: in the contract's order. */
export const profileOf = (results: readonly ClauseResult[]): Observed =>
  Object.fromEntries(
    results
      .filter(({ level, observed }) => level === 'gap' && observed !== null && observed !== undefined)
      .map(({ id, observed }) => [id, lasting(observed)]),
  );

/** The value without its volatile parts, at any depth. */
const lasting = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (name, part: unknown) => (name === volatileKey ? undefined : part)));

/** The observations in a profile.json. Throws WrongAt. */
export const parseProfile = (json: unknown): Observed => checkedJson<{ observed: Observed }>(schema, json).observed;

/**
 * What changed from one profile to another, clause by clause. A clause that one of the two runs did not observe is left
 * out: being skipped is no drift. An absent value is undefined, so that JSON leaves out `before` or `now`.
 */
export const observedChanges = (before: Observed, now: Observed): readonly Drift[] =>
  Object.entries(now)
    .filter(([clause]) => Object.hasOwn(before, clause))
    .flatMap(([clause, seen]) => changes(before[clause], seen, '').map((change) => ({ clause, ...change })));

type Change = Omit<Drift, 'clause'>;

function changes(before: unknown, now: unknown, place: string): Change[] {
  if (isTree(before) && isTree(now) && Array.isArray(before) === Array.isArray(now)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(now)])];
    return keys.flatMap((key) => changes(member(before, key), member(now, key), `${place}/${escapeToken(key)}`));
  }
  const isUnchanged = before === notMet || now === notMet || JSON.stringify(before) === JSON.stringify(now);
  return isUnchanged ? [] : [{ place, before, now }];
}

/**
 * Whether to compare field by field: objects, and lists of them. A change in a list of plain values is shown as the
 * whole list.
 */
const isTree = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  (!Array.isArray(value) || value.some((item) => typeof item === 'object' && item !== null));
