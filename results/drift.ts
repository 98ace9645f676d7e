import { Ajv } from 'ajv';
import { escapeToken } from '../common/json.ts';
import { boundJson } from './bound.ts';
import type { ClauseResult, Drift } from './verdict.ts';

/** What was observed where the documents are silent, by clause id: the part of profile.json that is compared. */
export type Observed = Readonly<Record<string, unknown>>;

/**
 * The key under which an observation keeps what differs between two runs against an unchanged deployment: times, counts,
 * samples. It is reported, and never enters a profile.
 */
const volatileKey = 'measured';

/** Stands for what a run did not meet, and so knows nothing of: it has not changed. */
export const notMet = 'not met in this run';

/** The names, each as what was not met: those that were stand after it. */
export const notMetOf = (names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, notMet]));

/** What a run observed for the gaps and would observe again: in the contract's order, bounded, keys sorted. */
export const profileOf = (results: readonly ClauseResult[]): Observed =>
  Object.fromEntries(
    results
      .filter(({ level, observed }) => level === 'gap' && observed !== null && observed !== undefined)
      .map(({ id, observed }) => [id, lasting(boundJson(observed))]),
  );

/** The value without what is measured in it, at any depth. */
function lasting(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map(lasting);
  }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== volatileKey)
      .map(([key, inner]) => [key, lasting(inner)]),
  );
}

const schema = {
  type: 'object',
  required: ['format', 'observed'],
  properties: { format: { const: 1 }, observed: { type: 'object' } },
};

/** What an accepted run's profile.json observed. Throws an Error that says what is wrong with it. */
export function parseProfile(json: unknown): Observed {
  const validate = new Ajv({ validateSchema: false }).compile<{ observed: Observed }>(schema);
  if (validate(json)) {
    return json.observed;
  }
  const error = validate.errors?.[0];
  const why = `${error?.instancePath || 'it'} ${error?.message ?? 'is ill-formed'}`;
  throw new Error(`${why}; it must be the profile.json of an accepted run`);
}

/**
 * What changed against a profile, clause by clause. A clause that one of the two did not observe is left out: a clause that
 * is skipped today has not drifted. Absent values are undefined, so that JSON leaves `before` or `now` out.
 */
export const driftOf = (profile: Observed, results: readonly ClauseResult[]): readonly Drift[] =>
  observedChanges(profile, profileOf(results));

/** The same between two profiles. */
export const observedChanges = (before: Observed, now: Observed): readonly Drift[] =>
  Object.entries(now)
    .filter(([clause]) => Object.hasOwn(before, clause))
    .flatMap(([clause, seen]) => changes(before[clause], seen, '').map((change) => ({ clause, ...change })));

type Change = Omit<Drift, 'clause'>;

function changes(before: unknown, now: unknown, place: string): Change[] {
  if (isTree(before) && isTree(now) && Array.isArray(before) === Array.isArray(now)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(now)])];
    return keys.flatMap((key) => changes(own(before, key), own(now, key), `${place}/${escapeToken(key)}`));
  }
  const isAlike = before === notMet || now === notMet || JSON.stringify(before) === JSON.stringify(now);
  return isAlike ? [] : [{ place, before, now }];
}

/** An object, or a list that holds one. A list of plain values is compared as a whole: `[a, b]` reads better than `/1`. */
const isTree = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  (!Array.isArray(value) || value.some((item) => typeof item === 'object' && item !== null));

const own = (tree: Record<string, unknown>, key: string): unknown => (Object.hasOwn(tree, key) ? tree[key] : undefined);
