import type { ApiName } from '../../contract/clause.ts';
import { clauseOf } from '../../contract/clauses.ts';
import { workspaceEndpoints } from '../../contract/workspace-endpoints.ts';
import type { Fault } from '../../fixtures/reference/variation.ts';

type Callers = readonly [words: RegExp, ...clauses: string[]];

/** A clause that is in the ids of the faults that its calls show. */
const named = (clause: string): Callers => [new RegExp(clause.replace('.', '-')), clause];

/**
 * Clauses about every response have no calls of their own, and some clauses judge what only the calls of others bring:
 * the clauses whose calls show their faults, by words of a fault's id.
 */
const callers: Readonly<Record<ApiName, readonly Callers[]>> = {
  developer: [
    [/over-limit|at-zero/, 'limits.exceeded'],
    [/forbidden/, 'scopes.ads'],
    [/malformed|emoji/, 'errors.malformed-json'],
    [/unknown-id/, 'errors.not-found'],
    [/unknown-key|of-401/, 'auth.invalid-key'],
    [/in-query/, 'auth.query', 'auth.invalid-key'],
    [/deletion|no-content/, 'keys.delete'],
    [/exports|byte-order/, 'scheduling.bookings'],
    [/live/, 'keys.create'],
    [/./, 'errors.unknown-path'],
  ],
  workspace: [
    [/over-limit|at-zero/, 'limits.exceeded'],
    [/forbidden/, 'auth.forbidden'],
    [/unknown-key/, 'auth.invalid-key'],
    [/malformed|object-as-name/, 'errors.bad-request'],
    [/unknown-id/, 'errors.not-found'],
    [/emoji/, 'leads.create'],
    [/deletions/, 'agents.delete'],
    ...workspaceEndpoints.map(({ clause }) => named(clause.replace('workspace.', ''))),
    [/./, 'errors.unknown-path'],
  ],
};

/** Faults that the calls of their own clauses do not show, either, and the clauses whose calls do. */
const further: Readonly<Record<string, readonly string[]>> = {
  'keys-create-expires': ['limits.per-minute'],
};

export const shownByFurther: readonly string[] = Object.keys(further);

/** The clauses that are judged to see a fault alone: those that it fails, and those whose calls show it. */
export function clausesToSee({ api, id, fails }: Pick<Fault<never>, 'api' | 'id' | 'fails'>): readonly string[] {
  const isOfOthers = fails.every((clause) => clauseOf(clause).everyResponse);
  const [, ...clauses] = isOfOthers
    ? (callers[api].find(([words]) => words.test(id)) ?? [])
    : ['', ...(further[id] ?? [])];
  return [...fails, ...clauses.map((clause) => `${api}.${clause}`)];
}
