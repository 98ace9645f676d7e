import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { CannotRun } from '../common/cannot-run.ts';
import { boundJson } from './bound.ts';
import type { ClauseResult, Drift } from './verdict.ts';

/** What was observed where the documents are silent, by clause id: the part of profile.json that is compared. */
export type Observed = Readonly<Record<string, unknown>>;

/** All that a run observed, in the contract's order, within the bounds of reports and with sorted keys. */
export function observedOf(results: readonly ClauseResult[]): Observed {
  return Object.fromEntries(
    results
      .filter(({ observed }) => observed !== null && observed !== undefined)
      .map(({ id, observed }) => [id, boundJson(observed)]),
  );
}

const validate = new Ajv().compile<{ observed: Observed }>({
  type: 'object',
  required: ['format', 'observed'],
  properties: { format: { const: 1 }, observed: { type: 'object' } },
});

/** What an accepted run's profile.json (setting PROFILE) observed. Throws CannotRun, naming the file and what it may be. */
export function readProfile(file: string): Observed {
  try {
    return parseProfile(readFileSync(file, 'utf8'), file);
  } catch (cause) {
    if (cause instanceof CannotRun) {
      throw cause;
    }
    throw refusal(file, cause instanceof Error ? cause.message : String(cause));
  }
}

/** The same out of the text of such a file. */
export function parseProfile(text: string, file: string): Observed {
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (cause) {
    throw refusal(file, `it is not JSON (${cause instanceof Error ? cause.message : String(cause)})`);
  }
  if (validate(json)) {
    return json.observed;
  }
  const error = validate.errors?.[0];
  throw refusal(file, `${error?.instancePath || 'it'} ${error?.message ?? 'is ill-formed'}`);
}

const refusal = (file: string, why: string): CannotRun =>
  new CannotRun(
    `Cannot use PROFILE ${file}: ${why}; it may be the profile.json of an accepted run`.replace(/\s+/g, ' '),
  );

/**
 * What changed against a profile, clause by clause. What stands under `measured` differs from run to run, and is left out. A clause that one of the two did not observe is left out: a clause
 * that is skipped today has not drifted. Absent values are undefined, so that JSON leaves `before` or `now` out. The
 * profile was bounded when it was written.
 */
export function driftOf(profile: Observed, results: readonly ClauseResult[]): readonly Drift[] {
  return Object.entries(observedOf(results))
    .filter(([clause]) => Object.hasOwn(profile, clause))
    .flatMap(([clause, now]) => changes(profile[clause], now, '').map((change) => ({ clause, ...change })));
}

type Change = Omit<Drift, 'clause'>;

function changes(before: unknown, now: unknown, place: string): Change[] {
  if (isTree(before) && isTree(now) && Array.isArray(before) === Array.isArray(now)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(now)])];
    return keys
      .filter((key) => key !== 'measured')
      .flatMap((key) => changes(own(before, key), own(now, key), `${place}/${token(key)}`));
  }
  return JSON.stringify(before) === JSON.stringify(now) ? [] : [{ place, before, now }];
}

/** An object, or a list that holds one. A list of plain values is compared as a whole: `[a, b]` reads better than `/1`. */
const isTree = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  (!Array.isArray(value) || value.some((item) => typeof item === 'object' && item !== null));

const own = (tree: Record<string, unknown>, key: string): unknown => (Object.hasOwn(tree, key) ? tree[key] : undefined);

/** A key as a part of a JSON pointer (RFC 6901). */
const token = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');
